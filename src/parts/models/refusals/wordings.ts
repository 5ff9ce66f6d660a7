/** How vendors word what they will not take. Data: the first row that fits decides. */

export type RefusalClass =
  | 'ids'
  | 'image'
  | 'reasoning'
  | 'signature'
  | 'tools'
  | 'history'
  | 'roles'
  | 'system'
  | 'stream'
  | 'cap too large'
  | 'parameter'
  | 'schema';

export interface RefusalWording {
  readonly class: RefusalClass;
  readonly pattern: RegExp;
}

export const refusalWordings: readonly RefusalWording[] = [
  {
    class: 'stream',
    pattern:
      /(?:not|n't) support.{0,20}\bstream(?:ing)?\b|\bstream(?:ing)?\b (?:is )?not (?:supported|allowed|available)|'?"?stream'?"? must be (?:set to )?false/i,
  },
  { class: 'ids', pattern: /tool[ _]call[ _]id\b.{0,60}\bmust be\b.{0,60}\blength of 9\b/i },
  { class: 'image', pattern: /content\b.{0,40}(?:expected a string.{0,30}\barray|must be a string)/i },
  {
    class: 'image',
    pattern: /(?:could not|cannot|unable to|failed to) (?:process|decode|load|read|fetch).{0,30}\bimage/i,
  },
  {
    class: 'image',
    pattern: /(?:not|n't|without|no endpoints found that) support.{0,40}\b(?:image|vision|multi-?modal)/i,
  },
  {
    class: 'image',
    pattern:
      /\b(?:image|image_url|vision|media_type|multi-?modal)\b.{0,60}\b(?:not supported|unsupported|invalid|not enabled|too large|exceeds)/i,
  },
  {
    class: 'image',
    pattern:
      /\b(?:invalid|unsupported|unknown)\b.{0,40}\b(?:image|image_url|media type)\b|missing mmproj|mmproj|at most \d+ image/i,
  },
  { class: 'image', pattern: /image dimensions? exceed|\bnot (?:a )?(?:multi-?modal|vision)\b/i },
  {
    class: 'reasoning',
    pattern:
      /reasoning_content\b.{0,80}(?:missing|required|must be|passed back|not found)|(?:missing|requires?|without|expected).{0,40}reasoning_content/i,
  },
  { class: 'reasoning', pattern: /expected `?thinking`?.{0,30}(?:found|but)|must start with a thinking block/i },
  {
    class: 'signature',
    pattern:
      /\bsignatures?\b.{0,60}(?:invalid|required|missing|mismatch|expired|not valid)|(?:invalid|missing|corrupted|unknown).{0,30}\bsignature/i,
  },
  {
    class: 'signature',
    pattern:
      /thinking.{0,40}blocks?.{0,60}cannot be modified|encrypted_content.{0,60}(?:invalid|could not|not be)|thought_signature/i,
  },
  {
    class: 'signature',
    pattern:
      /\bitem\b.{0,60}\brs_\w+.{0,80}(?:not found|without|required)|unexpected `?(?:redacted_)?thinking`? block/i,
  },
  {
    class: 'history',
    pattern:
      /no tool (?:output|call|result)s? (?:was )?found|tool_call_ids? .{0,80}(?:not found|did not have|not match|missing)/i,
  },
  {
    class: 'history',
    pattern:
      /(?:tool_use|tool_calls\[\d+\]|input\[\d+\])\.(?:call_)?id\b|tool_use\.input\b.{0,40}dictionary|number of function calls and/i,
  },
  {
    class: 'history',
    pattern: /\btool\b.{0,30}\bresults?\b.{0,60}(?:not follow|not found|no matching|without)|trailing whitespace/i,
  },
  {
    class: 'history',
    pattern:
      /role '?"?tool'?"? must (?:be a response|follow)|tool_calls?'?"? must be followed|unexpected `?tool_(?:result|use_id)/i,
  },
  {
    class: 'history',
    pattern:
      /`?tool_(?:use|result)`?.{0,60}(?:without|ids? (?:were )?found|must have a corresponding|must be unique|each)/i,
  },
  {
    class: 'history',
    pattern:
      /function (?:call|response) (?:turn|parts?).{0,120}(?:immediately|equal|comes)|insufficient tool messages/i,
  },
  {
    class: 'history',
    pattern: /duplicate.{0,40}(?:tool|call).{0,10}\bids?\b|\bids?\b must be unique|invalid.{0,20}tool[_ ]call[_ ]?id/i,
  },
  {
    class: 'history',
    pattern:
      /arguments.{0,60}(?:must be|not) (?:a )?(?:valid )?json|(?:messages?|content|text).{0,60}(?:must (?:not be|be non-?) ?empty|non-?empty|cannot be empty)/i,
  },
  {
    class: 'tools',
    pattern:
      /(?:not|n't) support.{0,40}\btool[_ ]choice|tool[_ ]choice.{0,60}(?:not supported|unsupported|requires|not allowed|does not)|enable-auto-tool-choice/i,
  },
  {
    class: 'tools',
    pattern:
      /(?:not|n't|no endpoints found that) support.{0,40}\b(?:tools?|tool[_ ](?:use|calls?|calling)|function[_ ]?call(?:s|ing)?|functions)\b/i,
  },
  {
    class: 'tools',
    pattern:
      /\b(?:tools?|tool[_ ](?:use|calls?|calling)|function[_ ]call(?:s|ing)?|functions)\b[`'"]? (?:is|are|param\w*|support is) ?(?:not|un)(?: ?(?:supported|enabled|available|allowed))/i,
  },
  { class: 'tools', pattern: /tools? param requires --jinja|tools.{0,40}(?:cannot|can't) be used with this model/i },
  {
    class: 'system',
    pattern:
      /(?:system|developer) (?:role|message|prompt|instruction)s?.{0,40}(?:not supported|unsupported|not enabled|not allowed)|(?:not|n't) support.{0,30}\b(?:system|developer)\b/i,
  },
  {
    class: 'system',
    pattern:
      /unexpected role '?"?(?:system|developer)|(?:system|developer) is not one of|(?:invalid|unknown).{0,40}\brole\b.{0,20}(?:system|developer)/i,
  },
  {
    class: 'roles',
    pattern:
      /roles? must alternate|alternat\w+ (?:between )?(?:user|roles)|conversation roles|consecutive (?:user|messages|assistant)/i,
  },
  {
    class: 'roles',
    pattern:
      /(?:assistant message )?prefill|last (?:message|role).{0,60}(?:must|should|cannot|not)|(?:must|should) end with a (?:user|`user`)|assistant messages? at the end|after the (?:optional )?system message/i,
  },
  {
    class: 'roles',
    pattern: /expected last role|unexpected role|got role|first (?:message|content).{0,40}(?:must|should).{0,20}user/i,
  },
  {
    class: 'cap too large',
    pattern:
      /max_(?:completion_|output_|new_)?tokens\b.{0,80}(?:too large|at most|less than or equal|must be (?:<=|between)|exceeds?|maximum|range)/i,
  },
  {
    class: 'schema',
    pattern:
      /(?:invalid|unsupported|unrecognized|bad|failed to \w+).{0,40}\b(?:schema|grammar|json[_ ]schema)|\bschema\b.{0,80}(?:invalid|not supported|unsupported|too (?:deep|complex|large)|must|nest|not permitted)/i,
  },
  {
    class: 'schema',
    pattern:
      /(?:\$ref|\$defs|\$schema|additionalProperties|anyOf|oneOf|allOf|patternProperties|exclusiveMinimum|propertyNames|\bconst\b|\bformat\b|\benum\b).{0,80}(?:not|un|invalid|forbidden|only|must)/i,
  },
  {
    class: 'schema',
    pattern:
      /unknown name.{0,80}(?:function_declarations|parameters|tools)|\b(?:tools|functions?)\[\d+\]|tools\.\d+\.|function(?:_declarations)?\b.{0,60}parameters.{0,60}(?:invalid|must|should|not)/i,
  },
  {
    class: 'schema',
    pattern:
      /unable to generate parser|failed to (?:initialize samplers|parse grammar)|error rendering prompt.{0,60}tool|nesting depth|too many (?:properties|optional parameters|nested)/i,
  },
  {
    class: 'parameter',
    pattern:
      /(?:unsupported|unknown|unrecognized|unexpected|invalid|extra|unpermitted)[ _](?:request )?(?:parameter|argument|param|field|key|property|input|value|name)/i,
  },
  {
    class: 'parameter',
    pattern:
      /(?:not|n't) (?:a )?(?:support(?:ed|s)?|permitted|allowed|recogni[sz]ed|accepted|available|valid)|extra inputs|only the default|deprecated|cannot (?:both )?be (?:specified|set|used)/i,
  },
];

/** Where a refusal names the field that it is about. The group `field` is its name on the wire. */
export const fieldWordings: readonly RegExp[] = [
  /(?:parameter|argument|param|field|property|key|name|input)s?:? ?(?:is )?[`'"“]+(?<field>[a-z][\w.]{1,60})[`'"”]/i,
  /[`'"“](?<field>[a-z][\w.]{1,60})[`'"”].{0,60}(?:not|n't|unsupported|unknown|deprecated|extra)/i,
  /(?:unsupported|unknown|unrecognized|unexpected|invalid|extra)[ _](?:request )?(?:parameter|argument|param|field|key|property|name|value)s?(?: (?:supplied|provided|named|received))?:? ?[`'"[]{0,2}(?<field>[a-z][\w.]{1,60})/i,
  /(?<field>[a-z][\w]*(?:\.\w+)*): ?extra (?:inputs|fields)/i,
  /\b(?<field>temperature|top_p|reasoning_effort|reasoning|thinking|effort|stream_options|parallel_tool_calls|max_tokens|max_completion_tokens|max_output_tokens|store|seed|stop|tool_choice|response_format)\b/i,
];
