/**
 * JSON that every server can read. Half a surrogate pair is no character, and many refuse it or NUL: each becomes U+FFFD.
 * Works on finished JSON, where both stand as escapes.
 */
export const soundJson = (json: string): string =>
  json.includes('\\u')
    ? json.replace(/\\(?:u0000|ud[89a-f][0-9a-f]{2}|[\s\S])/gi, (pair) => (pair.length === 6 ? '\\ufffd' : pair))
    : json;
