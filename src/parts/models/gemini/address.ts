/** The address of a call: the model's, and the method after it. */

/** `url` ends with the model, or with a method that somebody copied along. */
export function methodUrl(url: string, isStreamed: boolean): string {
  const address = new URL(url);
  const model = address.pathname.replace(/:\w+$/, '').replace('/models/models/', '/models/');
  address.pathname = `${model}:${isStreamed ? 'streamGenerateContent' : 'generateContent'}`;
  if (isStreamed) address.searchParams.set('alt', 'sse');
  return address.href;
}
