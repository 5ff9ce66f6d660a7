/** Keys out of texts that people, models or files will see. */

/** What looks like a key although we do not know it: vendor prefixes, bearer tokens. */
const keyLike =
  /\b(?:sk|pk|rk|gsk|xai)[-_](?=[\w-]*\d)[\w-]{16,}|\bgh[a-z]_\w{20,}|\bAIza[\w-]{20,}|(?<=\bbearer )[\w.~+/-]{8,}=*/gi;

export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret.length > 0) clean = clean.replaceAll(secret, '[key]');
  return clean.replace(keyLike, '[key]');
}
