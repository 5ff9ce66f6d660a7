/** One good call in every dialect and many of its damaged forms; each means `read {"path":"a"}` unless it says so. */

export interface Sample {
  readonly dialect: string;
  readonly text: string;
  /** [name, arguments] in order; `read {"path":"a"}` by default. */
  readonly calls?: readonly (readonly [string, unknown])[];
  /** '' by default. */
  readonly visible?: string;
}

const read: readonly (readonly [string, unknown])[] = [['read', { path: 'a' }]];
const twice: readonly (readonly [string, unknown])[] = [...read, ['bash', { command: 'ls' }]];
const body = '{"name": "read", "arguments": {"path": "a"}}';
const bashBody = '{"name": "bash", "arguments": {"command": "ls"}}';
const of =
  (dialect: string) =>
  (text: string, more: Partial<Sample> = {}): Sample => ({ dialect, text, ...more });

const hermes = of('hermes');
const qwen = of('qwen-xml');
const glm = of('glm');
const deepseek = of('deepseek');
const dsml = of('dsml');
const kimi = of('kimi');
const invoke = of('invoke');
const mistral = of('mistral');
const llama = of('llama');
const harmony = of('harmony');
const gemini = of('gemini');
const lfm = of('lfm');
const fence = of('fence');
const openai = of('openai');
const react = of('react');
const elements = of('elements');

const d = (name: string, attributes = '') => `<\uff5cDSML\uff5c${name}${attributes}>`;
const dEnd = (name: string) => `</\uff5cDSML\uff5c${name}>`;
const dPath = `${d('parameter', ' name="path" string="true"')}a${dEnd('parameter')}`;
const dInvoke = `${d('invoke', ' name="read"')}${dPath}${dEnd('invoke')}`;
const t = (name: string) => `<\uff5c${name.replace(/ /g, '\u2581')}\uff5c>`;

export const samples: readonly Sample[] = [
  hermes(`<tool_call>\n${body}\n</tool_call>`),
  hermes(`<tool_call>${body}</tool_call>`),
  hermes(`I'll look.\n<tool_call>\n${body}\n</tool_call>`, { visible: "I'll look." }),
  hermes(`I'll look. <tool_call>${body}</tool_call>`, { visible: "I'll look." }),
  hermes(`<tool_call>\n${body}\n</tool_call>\n<tool_call>\n${bashBody}\n</tool_call>`, { calls: twice }),
  hermes(`<tool_call>\n${body}\n${bashBody}\n</tool_call>`, { calls: twice }),
  hermes(`<tool_call>\n[${body}, ${bashBody}]\n</tool_call>`, { calls: twice }),
  hermes(`<tool_call>\n${body}\n</tool_call>\n<tool_call>\n${body}\n</tool_call>`),
  hermes(`<tool_call>\n${body}`),
  hermes(`${body}\n</tool_call>`),
  hermes(`<tool_call>\n${body}\n<tool_call>`),
  hermes(`<tool_call>\n${body}\n</tool_call>\nReading the file now.`, { visible: 'Reading the file now.' }),
  hermes(`<tool_call>\n${body}}\n</tool_call>`),
  hermes('<tool_call>\n{"name": "read", "arguments": {"path": "a"}\n</tool_call>'),
  hermes('<tool_call>{"name": "read", "arguments": "{\\"path\\": \\"a\\"}"}</tool_call>'),
  hermes('<tool_call>{"arguments": {"path": "a"}, "name": "read"}</tool_call>'),
  hermes('<tool_call>{"name": "read", "parameters": {"path": "a"}}</tool_call>'),
  hermes('<tool_call>{"name": "list"}</tool_call>', { calls: [['list', {}]] }),
  hermes('<tool_call>{"name": "read", "path": "a"}</tool_call>'),
  hermes('<tool_call>\nread\n{"path": "a"}\n</tool_call>'),
  hermes(`<tool_calls>\n${body}\n</tool_calls>`),
  hermes(`<function_call>${body}</function_call>`),
  hermes(`<|tool_call|>${body}<|/tool_call|>`),
  hermes(`<toolcall>${body}</toolcall>`),
  hermes('<tool_call name="read">{"path": "a"}</tool_call>'),
  hermes('<tool_call><name>read</name><arguments>{"path": "a"}</arguments></tool_call>'),
  hermes(`<tool_call>\n${body}\n</tool_call><|im_end|>`),
  qwen('<tool_call>\n<function=read>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>'),
  qwen('<function=read>\n<parameter=path>\na\n</parameter>\n</function>'),
  qwen('<function=read>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>'),
  qwen('<tool_call>\n<function=read>\n<parameter=path>\na\n</parameter>\n</function>'),
  qwen('<tool_call>\n<function=read>\n<parameter=path>\na\n</parameter>\n</tool_call>'),
  qwen('<tool_call>\n<function=read>\n<parameter=path>\na\n</parameter>'),
  qwen('<tool_call><function=read><parameter=path>a</function></tool_call>'),
  qwen('<tool_call><function="read"><parameter="path">a</parameter></function></tool_call>'),
  qwen('<tool_call><function name="read"><parameter name="path">a</parameter></function></tool_call>'),
  qwen('<tool_call>\n<function=read>\n{"path": "a"}\n</function>\n</tool_call>'),
  qwen('<function=read>{"path": "a"}</function>'),
  qwen(
    '<function=read><parameter=path>a</parameter><parameter=limit>\n20\n</parameter><parameter=raw>True</parameter></function>',
    {
      calls: [['read', { path: 'a', limit: 20, raw: true }]],
    },
  ),
  qwen(
    '<tool_call><function=write><parameter=path>t</parameter><parameter=content>\n<b>x</b> & "y"\n\n</parameter></function></tool_call>',
    {
      calls: [['write', { path: 't', content: '<b>x</b> & "y"\n' }]],
    },
  ),
  qwen(
    '<function=write><parameter=path>t</parameter><parameter=content>  two\n```js\nx\n```\n  </parameter></function>',
    {
      calls: [['write', { path: 't', content: '  two\n```js\nx\n```\n  ' }]],
    },
  ),
  qwen('<function=multi_edit><parameter=path>a</parameter><parameter=edits>[{"old":"x"}]</parameter></function>', {
    calls: [['multi_edit', { path: 'a', edits: [{ old: 'x' }] }]],
  }),
  qwen(
    '<function=read><parameter=path>a</parameter></function>\n<function=bash><parameter=command>ls</parameter></function>',
    {
      calls: twice,
    },
  ),
  glm('<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>'),
  glm('<tool_call>read<arg_key>path</arg_key><arg_value>a</arg_value></tool_call>'),
  glm(
    '<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n<arg_key>limit</arg_key>\n<arg_value>3</arg_value>',
    {
      calls: [['read', { path: 'a', limit: 3 }]],
    },
  ),
  glm('<tool_call>list\n</tool_call>', { calls: [['list', {}]] }),
  glm('Now.\n<tool_call>read\n<arg_key>path\n<arg_value>a</arg_value>\n</tool_call>', { visible: 'Now.' }),
  glm('<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a\n</tool_call>'),
  deepseek(
    `${t('tool calls begin')}${t('tool call begin')}function${t('tool sep')}read\n\`\`\`json\n{"path": "a"}\n\`\`\`${t('tool call end')}${t('tool calls end')}`,
  ),
  deepseek(
    `${t('tool calls begin')}${t('tool call begin')}read${t('tool sep')}{"path": "a"}${t('tool call end')}${t('tool calls end')}`,
  ),
  deepseek(`${t('tool call begin')}read${t('tool sep')}{"path": "a"}${t('tool call end')}`),
  deepseek(`${t('tool calls begin')}${t('tool call begin')}read${t('tool sep')}{"path": "a"}`),
  deepseek(
    '<|tool_calls_begin|><|tool_call_begin|>function<|tool_sep|>read\n```json\n{"path": "a"}\n```<|tool_call_end|><|tool_calls_end|>',
  ),
  deepseek(
    '<|tool calls begin|><|tool call begin|>function<|tool sep|>read\n```json\n{"path": "a"}\n```<|tool call end|><|tool calls end|>',
  ),
  deepseek(
    `Look first ${t('tool calls begin')}${t('tool call begin')}read${t('tool sep')}{"path": "a"}${t('tool call end')}${t('tool call begin')}bash${t('tool sep')}{"command": "ls"}${t('tool call end')}${t('tool calls end')}`,
    {
      calls: twice,
      visible: 'Look first',
    },
  ),
  dsml(`${d('tool_calls')}${dInvoke}${dEnd('tool_calls')}`),
  dsml(`${d('function_calls')}\n${dInvoke}\n${dEnd('function_calls')}`),
  dsml(dInvoke),
  dsml(`${d('function_calls')}${d('invoke', ' name="read"')}${dPath}`),
  dsml(`${d('toolcalls')}\n${dInvoke}\n${dEnd('toolcalls')}`),
  dsml(
    `${d('invoke', " name='read'")}${d('parameter', " string='true' name='path'")}a${dEnd('parameter')}${dEnd('invoke')}`,
  ),
  dsml(
    `<|DSML|invoke name="read"><|DSML|parameter name="limit" string="false">7</|DSML|parameter><|DSML|parameter name="path" string="true">a</|DSML|parameter></|DSML|invoke>`,
    {
      calls: [['read', { limit: 7, path: 'a' }]],
    },
  ),
  dsml(
    `${d('tool_calls')}\n${d('invoke', ' name="read"')}\n<parameter name="path">a${dEnd('parameter')}\n${dEnd('invoke')}\n${dEnd('tool_calls')}`,
  ),
  kimi(
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"path": "a"}<|tool_call_end|><|tool_calls_section_end|>',
  ),
  kimi('<|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"path": "a"}<|tool_call_end|>'),
  kimi(
    '<|tool_calls_section_begin|> <|tool_call_begin|> read:0 <|tool_call_argument_begin|> {"path": "a"} <|tool_call_end|>',
  ),
  kimi(
    'ok <|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"path": "a"}<|tool_call_end|><|tool_call_begin|>functions.bash:1<|tool_call_argument_begin|>{"command": "ls"}<|tool_call_end|><|tool_calls_section_end|>',
    {
      calls: twice,
      visible: 'ok',
    },
  ),
  kimi(
    '<|tool_call_section_begin|><|tool_call_begin|>read<|tool_call_argument_begin|>{"path": "a"}<|tool_call_end|><|tool_call_section_end|>',
  ),
  invoke('<function_calls>\n<invoke name="read">\n<parameter name="path">a</parameter>\n</invoke>\n</function_calls>'),
  invoke(
    '<minimax:tool_call>\n<invoke name="read">\n<parameter name="path">a</parameter>\n</invoke>\n</minimax:tool_call>',
  ),
  invoke('<invoke name="read">\n<parameter name="path">a</parameter>\n</invoke>'),
  invoke("<invoke name='read'><parameter name='path'>a</parameter></invoke>"),
  invoke('<invoke name=read><parameter name=path>a</parameter></invoke>'),
  invoke('court\n<invoke name="read">\n<parameter name="path">a</parameter>\n</invoke>', { visible: 'court' }),
  invoke('<invoke name="read">\n<parameter name="path">a</parameter>\n</invoke>\n</function_calls>'),
  invoke('<function_calls><invoke name="read"><parameter name="path">a</parameter>'),
  invoke('<function_calls><invoke name="list"></invoke></function_calls>', { calls: [['list', {}]] }),
  invoke(
    '<function_calls><invoke name="read"><parameter name="path">a</parameter></invoke><invoke name="bash"><parameter name="command">ls</parameter></invoke></function_calls>',
    {
      calls: twice,
    },
  ),
  invoke('[Tool Use: read]\n<parameter name="path">a</parameter>\n</invoke>\n</minimax:tool_call>'),
  invoke('&lt;invoke name="read"&gt;&lt;parameter name="path"&gt;a&lt;/parameter&gt;&lt;/invoke&gt;'),
  mistral('[TOOL_CALLS]read[ARGS]{"path": "a"}'),
  mistral('[TOOL_CALLS]read{"path": "a"}'),
  mistral(`[TOOL_CALLS][${body}]`),
  mistral(`[TOOL_CALLS] [${body}, ${bashBody}]`, { calls: twice }),
  mistral('[TOOL_CALLS]read[ARGS]{"path": "a"}[TOOL_CALLS]bash[ARGS]{"command": "ls"}', { calls: twice }),
  mistral('[TOOL_CALLS]read[CALL_ID]Ab1[ARGS]{"path": "a"}'),
  mistral('I look. [TOOL_CALLS]read[ARGS]{"path": "a"}</s>', { visible: 'I look.' }),
  llama('<|python_tag|>{"name": "read", "parameters": {"path": "a"}}'),
  llama('<|python_tag|>read.call(path="a")'),
  llama('<|python_tag|>{"type": "function", "name": "read", "parameters": {"path": "a"}}<|eom_id|>'),
  llama('{"name": "read", "parameters": {"path": "a"}}'),
  llama('{"name": "read", "arguments": {"path": "a"}}\nThis reads it.', { visible: 'This reads it.' }),
  llama('{"type": "function", "function": {"name": "read", "arguments": "{\\"path\\": \\"a\\"}"}}'),
  llama('{"tool": "read", "args": {"path": "a"}}'),
  llama(`${body}\n${bashBody}`, { calls: twice }),
  llama(`${body}; ${bashBody}`, { calls: twice }),
  llama(`[${body}]`),
  llama('{"name": "read", "arguments": {"path": "a"}'),
  harmony('<|channel|>commentary to=functions.read <|constrain|>json<|message|>{"path": "a"}<|call|>'),
  harmony(
    '<|start|>assistant<|channel|>commentary to=functions.read <|constrain|>json<|message|>{"path": "a"}<|call|>',
  ),
  harmony('<|start|>assistant to=functions.read<|channel|>commentary json<|message|>{"path": "a"}<|call|>'),
  harmony('<|channel|>analysis to=functions.read code<|message|>{"path": "a"}'),
  harmony(
    '<|channel|>analysis<|message|>Look.<|end|><|start|>assistant<|channel|>commentary to=functions.read<|message|>{"path": "a"}<|call|>',
  ),
  harmony('assistantcommentary to=functions.read json{"path": "a"}'),
  gemini('```tool_code\nprint(default_api.read(path="a"))\n```'),
  gemini('```tool_code\nread(path="a")\nbash(command="ls")\n```', { calls: twice }),
  gemini('```tool_code\nresult = default_api.read(path = "a")\n```'),
  gemini('<tool_code>\nprint(read(path="a"))\n</tool_code>'),
  gemini('<|tool_call>call:read{path:<|"|>a<|"|>}<tool_call|>'),
  gemini('<start_function_call>call:read{path:<escape>a<escape>}<end_function_call>'),
  gemini('```tool_call\n{"name": "read", "arguments": {"path": "a"}}\n```'),
  lfm('<|tool_call_start|>[read(path="a")]<|tool_call_end|>'),
  lfm("<|tool_call_start|>[read(path='a'), bash(command='ls')]<|tool_call_end|>", { calls: twice }),
  lfm('[read(path="a")]'),
  lfm('[read(path="a", limit=3, raw=False)]', { calls: [['read', { path: 'a', limit: 3, raw: false }]] }),
  lfm('<|tool_call_start|>[write(path="a", content="x\\n\\"y\\"\\n")]<|tool_call_end|>', {
    calls: [['write', { path: 'a', content: 'x\n"y"\n' }]],
  }),
  lfm('[multi_edit(path="a", edits=[{"old": "x", "new": None}])]', {
    calls: [['multi_edit', { path: 'a', edits: [{ old: 'x', new: null }] }]],
  }),
  fence(`\`\`\`json\n${body}\n\`\`\``),
  fence(`\`\`\`\n${body}\n\`\`\``),
  fence(`I'll read it.\n\n\`\`\`json\n${body}\n\`\`\``, { visible: "I'll read it." }),
  fence(`\`\`\`json\n${body}`),
  fence(`\`\`\`json\n[${body}, ${bashBody}]\n\`\`\``, { calls: twice }),
  fence(`\`\`\`xml\n<tool_call>\n${body}\n</tool_call>\n\`\`\``),
  fence(`<tool_call>\n\`\`\`json\n${body}\n\`\`\`\n</tool_call>`),
  openai(
    '{"tool_calls": [{"id": "c1", "type": "function", "function": {"name": "read", "arguments": "{\\"path\\": \\"a\\"}"}}]}',
  ),
  openai(
    '{"tool_calls": [{"name": "read", "arguments": {"path": "a"}}, {"name": "bash", "arguments": {"command": "ls"}}]}',
    {
      calls: twice,
    },
  ),
  openai('{"function_call": {"name": "read", "arguments": "{\\"path\\": \\"a\\"}"}}'),
  openai('{"id": "t1", "type": "tool_use", "name": "read", "input": {"path": "a"}}'),
  react('Action: read\nAction Input: {"path": "a"}'),
  react('Thought: I look.\nAction: read\nAction Input: {"path": "a"}', { visible: 'Thought: I look.' }),
  react('Action: bash\nAction Input: ls', { calls: [['bash', { command: 'ls' }]] }),
  react('Action: read\nAction Input: {"path": "a"}\nObservation: it says 3\nThought: fine'),
  elements('<read><path>a</path></read>'),
  elements('<multi_ edit><path>a</path><edits>[{"old":"x"}]</edits></multi_edit>', {
    calls: [['multi_edit', { path: 'a', edits: [{ old: 'x' }] }]],
  }),
  elements('<bash>\n<command>ls</command>\n</bash>', { calls: [['bash', { command: 'ls' }]] }),
  elements('<read>{"path": "a"}</read>'),
  hermes(`<tools>\n${body}\n</tools>`),
  hermes(`<|START_ACTION|>[${body}]<|END_ACTION|>`),
  hermes(`<|action_start|><|plugin|>${body}<|action_end|>`),
  hermes(`functools[${body}]`),
  hermes('<tool_call>read\n```json\n{"path": "a"}\n```</tool_call>'),
  lfm('<|python_start|>[read(path="a")]<|python_end|>'),
  gemini('call:read{path:<|"|>a<|"|>}<tool_call|>'),
  dsml(dInvoke.replaceAll('\uff5c', '\uff5c\uff5c')),
];

/** The opener is lost, so that the name itself stands as text, and is shown by the time that the rest arrives. */
export const headless: readonly Sample[] = [
  deepseek(`function${t('tool sep')}read\n\`\`\`json\n{"path": "a"}\n\`\`\`${t('tool call end')}`),
  deepseek(`read${t('tool sep')}{"path": "a"}${t('tool call end')}${t('tool calls end')}${t('end of sentence')}`),
  kimi('functions.read:0<|tool_call_argument_begin|>{"path": "a"}<|tool_call_end|>'),
  glm('read\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>'),
  mistral('read[ARGS]{"path": "a"}'),
];
