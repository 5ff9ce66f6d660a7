/** Names of files in texts where every line counts. */

/** One entry, one line: a name with control characters is shown as a JSON string. */
export const visible = (name: string): string => (hasControls(name) ? JSON.stringify(name) : name);

function hasControls(name: string): boolean {
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index);
    if (code < 32 || code === 127) return true;
  }
  return false;
}
