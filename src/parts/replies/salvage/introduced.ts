/** Whether the sentence before a call introduces it as a thing: what a file holds, what was printed, what was added. Data. */

/** An action whose object is the text that follows: shown, added to a file, explained. */
const quoting = new RegExp(
  [
    String.raw`\b(?:show|explain|demonstrate|illustrate|quote|describe|document)\w*\b|\b(?:would|could|might|not|never)\b|n't\b`,
    String.raw`\b(?:examples? (?:of|call)|an example|like this|like so|syntax|format|e\.g\.)`,
    String.raw`\b(?:add|writ|insert|put|append|creat|includ|updat|replac|chang|set)\w*\b.*\b(?:this|these|(?:the )?following)\b`,
  ].join('|'),
  'i',
);

export const isQuoting = (sentence: string): boolean => quoting.test(sentence);

/** Words of a report, in the languages that models answer in most. */
const reports = new RegExp(
  [
    String.raw`\b(?:contain(?:s|ed)?|holds?|has|had|shows?|showed|reads|says?|said|was|were|is|are|returned|returns|print(?:s|ed)|produce[sd]|logged|answered|replied|responded|received|receives|sent|got|wrote|written|added|stored|saved|found|saw|see|sees|caused?|fails?|failed|breaks?|broke|passes|handles?|accepts?|becomes?|became)\b`,
    String.raw`\b(?:following|contents?|output|input|response|reply|message|logs?|results?|fixture|raw|string|payload|body|before|after|expected|actual|old|new)\b`,
    String.raw`\b(?:enth\u00e4lt|lautet|steht|inhalt|ausgabe|eingabe|antwort|folgende\w*|hinzugef\u00fcgt|gefunden|vorher|nachher)\b`,
    String.raw`\b(?:contient|contenu|affiche|sortie|entr\u00e9e|r\u00e9ponse|suivante?s?|trouv\u00e9|ajout\u00e9|avant|apr\u00e8s)(?![\p{L}])`,
    String.raw`\b(?:contiene|contenido|salida|entrada|respuesta|muestra|siguientes?|encontr\u00e9|a\u00f1ad\u00ed|antes|despu\u00e9s)(?![\p{L}])`,
    '\u5185\u5bb9|\u5305\u542b|\u8f93\u51fa|\u8fd4\u56de|\u65e5\u5fd7|\u663e\u793a|\u5982\u4e0b|\u56de\u590d|\u51fa\u529b|\u542b\u307e|\u30ed\u30b0|\u6b21\u306e',
  ].join('|'),
  'iu',
);

/** What is done and not reported: a participle or an adverb of order in front, the call by its own name. */
const acting =
  /\b(?:i(?:'ll| will|'m| am| need| have to| must| should| want)|let me|let's|let us|we(?:'ll| will| need)|going to|next step)\b|(?:^|[,;] )(?:now,? |next,? |then,? )?[a-z]{3,}ing\b|^(?:first|next|now|then|finally)\b|^(?:here(?:'s| is) |this is )?(?:the |my )?(?:(?:tool|function) calls?|call|action|command)\b[^.]{0,60}$/i;

/** `The test feeds the reader`, and then the block is what it feeds: somebody else's sentence without its end. */
const unended = /^(?:the|this|that|these|those|such|an?|its|their|they|both|each)\s(?:\S+\s+){2,}\S*[^\s:\uff1a]$/i;

/** A sentence that goes on into the call, and tells of something. Before plain data, any that tells of no action. */
export function presents(sentence: string, isPlain: boolean): boolean {
  if (sentence === '' || /[.!?\u2026\u3002\uff01\uff1f]["')*]*$/.test(sentence)) return false;
  if (isQuoting(sentence)) return true;
  if (acting.test(sentence)) return false;
  return reports.test(sentence) || unended.test(sentence) || (isPlain && /[:\uff1a]$/.test(sentence));
}
