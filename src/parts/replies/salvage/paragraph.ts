/** Where the last paragraph of `text` starts: behind its last blank line, or at 0. Blanks at the end do not count. */
export function lastParagraphStart(text: string): number {
  const trimmed = text.trimEnd();
  for (let end = trimmed.lastIndexOf('\n'); end > 0; ) {
    const start = trimmed.lastIndexOf('\n', end - 1);
    if (trimmed.slice(start + 1, end).trim() === '') return start < 0 ? 0 : end + 1;
    end = start;
  }
  return 0;
}
