/** Sizes for people and models: `812 B`, `1.2 KB`, `340 MB`. */
const units = ['KB', 'MB', 'GB', 'TB'] as const;

export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes;
  let unit = -1;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
