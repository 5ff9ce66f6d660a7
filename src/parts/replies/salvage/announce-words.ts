/** How models say that they are about to act, and how they end an answer; by language. Data for announces.ts. */

export interface AnnouncingLanguage {
  /** Tested on the last sentence, without list marks and emphasis. */
  readonly announces: RegExp;
  /** What makes such a sentence an offer, a condition or a remark. */
  readonly excuses: RegExp;
}

/**
 * What may stand before it; taken off one at a time, because a pattern of repeated clauses would cost exponential time. A
 * clause ends at its comma.
 */
export const leads: readonly RegExp[] = [
  /^(?:okay|ok|great|good|perfect|alright|all right|right|sure|now|next|first(?:ly)?|then|so|and|but|finally|also|instead|got it|understood|excellent|i see|hmm|wait|after that|from here|(?:next )?step(?: \d{1,3})?)(?:[,.!:;\u2014-]{1,3} ?| )/i,
  /^(?:to|since|based on|before|with|as|because) [^,.]{1,80}, /i,
  /^[^,.]{1,120}, (?:so|and|then) (?=i\b|i'|let )/i,
];

const will = `(?:i(?:'ll| will|'m (?:now )?going to|'m about to| am (?:now )?going to| need to| have to| must| should| want to)|let me|let's|let us|we(?:'ll| will| need to| should))`;
const adverbs = String.raw`(?:\s+(?:now|also|first|next|then|just|quickly|start(?: off)? (?:by|with)|begin (?:by|with)|go ahead and|proceed to|proceed with|continue to|continue by|try to|immediately|carefully|help|take care of|double[- ]check|re-?))*`;
const acts = String.raw`\s+(?:read|re-?read|look|check|examin|inspect|open|view|search|find|grep|list|explor|run|re-?run|execut|test|verif|confirm|fix|updat|edit|modif|chang|writ|creat|add|implement|remov|delet|renam|refactor|install|build|rebuild|compil|start|begin|proceed|continu|mov|appl|mak|try|see|review|analy|investigat|determin|locat|replac|set|adjust|debug|reproduc|gather|fetch|load|get|go|do|tak|scan|insert|patch|rewrit|clean|figure|understand|identif|trac|dig|commit|us(?:e|ing) the)`;
const doing = String.raw`(?:(?:now|next)[,:]?\s+)?(?:reading|checking|looking|running|updating|editing|creating|fixing|searching|opening|writing|adding|testing|inspecting|examining|executing|applying|installing)\b.*(?:\bnow\b|\.\.\.|\u2026)[.!]?$`;

export const languages: readonly AnnouncingLanguage[] = [
  {
    announces: new RegExp(
      `^(?:${will}${adverbs}(?:${acts}|\\s*(?:\\.\\.\\.|\u2026)?$)|${doing}|(?:i am|i'm) now (?:\\w+ing)\\b|time to\\b|proceeding to\\b|(?:moving )?on to\\b)`,
      'i',
    ),
    excuses:
      /\b(?:if|unless|let me know|once you|when you|after you|until you|as soon as|happy to|glad to|feel free|not|never|n't|wait for|from now on|in (?:the )?future|next time|later|tomorrow|note that|mention|point out|explain|summari[sz]e|clear|add that|see you|make sure you)\b/i,
  },
  {
    announces:
      /^(?:(?:gut|okay|ok|alles klar|verstanden|nun|jetzt|als n\u00e4chstes|zuerst|zun\u00e4chst|dann|danach|anschlie\u00dfend|perfekt)[,.!:]?\s+)*(?:ich werde|werde ich|ich muss|muss ich|ich will|lass(?:t|en sie)? mich|lass uns|schauen wir|sehen wir|(?:ich )?(?:lese|pr\u00fcfe|schaue|\u00f6ffne|f\u00fchre|\u00e4ndere|aktualisiere|erstelle|suche|starte|untersuche|f\u00fcge|behebe|passe|schreibe|teste|beginne|\u00fcberpr\u00fcfe|korrigiere|sehe)(?: ich)?\b)/i,
    excuses: /\b(?:wenn|falls|sobald|nicht|kein\w*|sp\u00e4ter|k\u00fcnftig|gerne|dass|bescheid)\b/i,
  },
  {
    announces:
      /^(?:(?:ahora|primero|luego|despu\u00e9s|a continuaci\u00f3n|bien|vale|de acuerdo|perfecto|entendido|muy bien)[,.!:]?\s+)*(?:voy a|vamos a|d\u00e9jame|d\u00e9jeme|perm\u00edteme|necesito|tengo que|debo|proceder\u00e9|empezar\u00e9|comenzar\u00e9|revisar\u00e9|leer\u00e9|ejecutar\u00e9|actualizar\u00e9|crear\u00e9|buscar\u00e9|corregir\u00e9|modificar\u00e9)/i,
    excuses: /\b(?:si|cuando|no|av\u00edsame|dime|quieres|m\u00e1s tarde|explicar|aclarar)\b/i,
  },
  {
    announces:
      /^(?:(?:maintenant|d'abord|ensuite|puis|bien|tr\u00e8s bien|d'accord|parfait|compris|bon)[,.!:]?\s+)*(?:je vais|je dois|laissez-moi|laisse-moi|commen\u00e7ons|regardons|v\u00e9rifions|ex\u00e9cutons|il faut que je|je (?:lis|v\u00e9rifie|regarde|lance|modifie|corrige|cr\u00e9e)\b)/i,
    excuses: /\b(?:si|quand|lorsque|pas|dites-moi|n'h\u00e9sitez|plus tard|expliquer|pr\u00e9ciser)\b/i,
  },
  {
    announces:
      /(?:\u8ba9\u6211|\u8b93\u6211|(?:\u6211|\u6211\u4eec)(?:\u73b0\u5728|\u5148|\u6765|\u5c06|\u4f1a|\u8981|\u9700\u8981|\u9a6c\u4e0a|\u63a5\u7740|\u63a5\u4e0b\u6765|\u5f00\u59cb|\u7ee7\u7eed|\u518d|\u6b63\u5728|\u5fc5\u987b)|^(?:\u73b0\u5728|\u63a5\u4e0b\u6765|\u9996\u5148|\u7136\u540e)[\uff0c,]?)[^\u3002]*(?:\u67e5\u770b|\u8bfb\u53d6|\u9605\u8bfb|\u68c0\u67e5|\u8fd0\u884c|\u4fee\u6539|\u66f4\u65b0|\u521b\u5efa|\u6dfb\u52a0|\u4fee\u590d|\u641c\u7d22|\u7f16\u8f91|\u6267\u884c|\u6d4b\u8bd5|\u770b\u770b|\u770b\u4e00\u4e0b|\u7f16\u5199|\u5b9e\u73b0|\u5220\u9664|\u5206\u6790|\u6253\u5f00|\u7ee7\u7eed|\u5f00\u59cb|\u5b89\u88c5|\u5217\u51fa|\u9a8c\u8bc1|\u91cd\u6784|\u66ff\u6362|\u8c03\u6574|\u5904\u7406|\u5c1d\u8bd5)/,
    excuses:
      /\u5982\u679c|\u544a\u8bc9\u6211|\u5417|\u60a8|\u4f60|\u9700\u8981\u6211|\u5df2\u7ecf|\u5df2\u5b8c\u6210|\u4e0d\u4f1a|\u4e0d\u518d|\u4ee5\u540e|\u53ef\u4ee5|\u4e86\u3002?$/,
  },
  {
    announces:
      /(?:^(?:\u79c1|\u307e\u305a|\u6b21\u306b|\u3053\u308c\u304b\u3089|\u3067\u306f|\u305d\u308c\u3067\u306f|\u4eca\u304b\u3089|\u7d9a\u3044\u3066|\u3055\u3063\u305d\u304f|\u6700\u521d\u306b|\u4e86\u89e3).*(?:\u3057\u307e\u3059|\u307e\u3059|\u307e\u3057\u3087\u3046)|(?:\u3066\u307f\u307e\u3059|\u3066\u3044\u304d\u307e\u3059|\u3057\u307e\u3057\u3087\u3046|\u307f\u307e\u3057\u3087\u3046))[\u3002:\uff1a!\uff01\u2026.]*$/,
    excuses:
      /\u5834\u5408|\u304f\u3060\u3055\u3044|\u308c\u3070|\u305f\u3089|\u307e\u3057\u305f|\u307e\u305b\u3093|\u304b[\u3002\uff1f?]?$|\u5b8c\u4e86|\u3067\u304d\u307e\u3059/,
  },
];
