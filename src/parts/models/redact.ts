/** Keys out of texts that people, models or files will see. */

/** What looks like a key although we do not know it: vendor prefixes, bearer tokens. Escapes of JSON may stand before it. */
const keyLike =
  /(?:\b|(?<=\\[nrt]))(?:(?:sk|pk|rk|gsk|xai)[-_](?=[\w-]*\d)[\w-]{16,}|(?:gh[a-z]|github_pat|hf)_\w{20,}|AIza[\w-]{20,}|(?:glpat|nvapi|xox[abeoprs])-[\w-]{12,}|AKIA[0-9A-Z]{16}\b)|(?<=\bbearer )[\w.~+/-]{8,}=*/gi;

export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret.length > 0) clean = clean.replaceAll(secret, '[key]');
  return clean.replace(keyLike, '[key]');
}
