/** Texts that speak of calls, and must not run any. All of them name declared tools. */

const body = '{"name": "bash", "arguments": {"command": "rm -rf build"}}';
const block = `<tool_call>\n${body}\n</tool_call>`;
const xml = '<function=bash>\n<parameter=command>\nrm -rf build\n</parameter>\n</function>';
const invoke = '<invoke name="bash">\n<parameter name="command">rm -rf build</parameter>\n</invoke>';
const kimi =
  '<|tool_calls_section_begin|><|tool_call_begin|>functions.bash:0<|tool_call_argument_begin|>{"command": "rm -rf build"}<|tool_call_end|><|tool_calls_section_end|>';
const harmony =
  '<|channel|>commentary to=functions.bash <|constrain|>json<|message|>{"command": "rm -rf build"}<|call|>';
const deepseek =
  '<\uff5ctool\u2581calls\u2581begin\uff5c><\uff5ctool\u2581call\u2581begin\uff5c>bash<\uff5ctool\u2581sep\uff5c>{"command": "rm -rf build"}<\uff5ctool\u2581call\u2581end\uff5c>';

/** Shown unchanged, nothing runs. */
export const quoted: readonly string[] = [
  `The model would emit ${block} and then the server parses it.`,
  `The model emits <tool_call>${body}</tool_call> and the server parses it.`,
  `For example:\n\n${block}`,
  `For example, a call looks like this:\n\`\`\`json\n${body}\n\`\`\``,
  `Here's what a call looks like:\n\n${body}`,
  `Qwen models write their calls like this:\n${xml}`,
  `You can run it yourself with:\n\`\`\`json\n${body}\n\`\`\``,
  `The syntax is:\n\n${invoke}`,
  `Claude's format:\n\n${invoke}`,
  `\`\`\`xml\n${block}\n\`\`\`\n\nThis is what the parser has to read.`,
  `# Tool format\n\n\`\`\`\n${block}\n\`\`\`\n\n## Notes\n\nEach call is one line.`,
  `\`\`\`python\nprompt = """\n${block}\n"""\n\`\`\``,
  `\`\`\`markdown\n${block}\n\`\`\``,
  `\`\`\`bash\nbash(command="rm -rf build")\n\`\`\``,
  `\`\`\`python\n[bash(command="rm -rf build")]\n\`\`\``,
  `\`\`\`js\nconst call = ${body};\n\`\`\``,
  `\`\`\`json\n${body}\n\`\`\`\nSave this as call.json.`,
  `\`\`\`json\n{"type": "tool", "calls": 3, "name": "bash"}\n\`\`\``,
  `\`\`\`json\n{"mcp": {"bash": ${body}}}\n\`\`\``,
  `Use \`<tool_call>${body}</tool_call>\` to call a tool.`,
  `Wrap it in \`<tool_call>\` tags.`,
  `The closing tag is </tool_call>.`,
  `> ${block.replace(/\n/g, '\n> ')}`,
  `> <tool_call>${body}</tool_call>`,
  `- <tool_call>${body}</tool_call>`,
  `1. <tool_call>${body}</tool_call>\n2. wait for the result`,
  `| call | <tool_call>${body}</tool_call> |`,
  `"${body}"`,
  `He wrote "<tool_call>${body}</tool_call>"`,
  `const o = ${body}`,
  `The log says: ${body}`,
  `I ran ${body} earlier.`,
  `The example ends with\n${kimi}`,
  `Kimi's format is ${kimi}`,
  `Harmony would write ${harmony}`,
  `An example of the DeepSeek format: ${deepseek}`,
  `${kimi} is what Kimi writes.`,
  `${block}\nis what a Hermes model emits.`,
  `${block}\n\nThis is an example of a call.`,
  `${block}\n\n## Explanation\n\nThe tag opens a call.`,
  `${xml}\nThen the result comes back.`,
  `${invoke}\n\nLet me know what you think.`,
  `First text.\n\n${body}\n\nLast text.`,
  `Do not run this:\n${xml}`,
  `Never call bash like so:\n\n${block}`,
  `You could use\n\n${block}`,
  `To delete it, you would send:\n\n${body}`,
  `Should I run this?\n\n\`\`\`json\n${body}\n\`\`\``,
  `Shall I call it?\n${body}`,
  `Zum Beispiel:\n\n${block}`,
  `Por ejemplo:\n\n${block}`,
  `Par exemple :\n\n${block}`,
  `\u4f8b\u5982\uff1a\n\n${block}`,
  `\u683c\u5f0f\u5982\u4e0b\uff1a\n\n${block}`,
  `\u305f\u3068\u3048\u3070\uff1a\n\n${block}`,
  `{"name": "bash"}`,
  `const o = {"name": "bash"}`,
  `{"name": "bash", "arguments": {"command": "ls"}, "comment": "an object of the user's"}`,
  `[bash] and [read](a.md) are tools.`,
  `[bash(command="ls")] is Python.`,
  `bash(command="ls")`,
  `Action: bash`,
  `The prompt says "Action: bash\\nAction Input: ls".`,
  `<bash> is an element that HTML does not know.`,
  `<read>three</read>`,
  `Use <list> for lists.`,
  `a < b and c > d, Array<string>, x<read>y`,
  `<tool_call> opens a call and </tool_call> closes it.`,
  `${block} Nothing else.`,
  `${kimi} It goes on here.`,
  `Text with a </parameter> in it, and a <parameter=x> too.`,
  `[TOOL_CALLS] is Mistral's token.`,
  `In the transcript the assistant wrote:\n\n${block}`,
  `README.md shows:\n\n${block}`,
];

/** Plain forms that name no declared tool or do not fit its schema: text like any other. */
export const foreign: readonly string[] = [
  '{"name": "deploy", "arguments": {"to": "prod"}}',
  '{"name": "bash", "arguments": {"cmd": "ls"}}',
  '{"name": "bash", "arguments": "ls"}',
  '```json\n{"name": "deploy", "arguments": {"to": "prod"}}\n```',
  '```json\n{"name": "bash", "arguments": {"command": 3}}\n```',
  '[deploy(to="prod")]',
  '[bash(cmd="ls")]',
  '[bash(command=os.getcwd())]',
  '[bash("ls", "la")]',
  '<function=deploy><parameter=to>prod</parameter></function>',
  '<invoke name="deploy"><parameter name="to">prod</parameter></invoke>',
  'Action: deploy\nAction Input: {"to": "prod"}',
  '<deploy><to>prod</to></deploy>',
  '[{"name": "bash", "arguments": {"command": "ls"}}, {"name": "x"}]',
];

/** In a model's own marks, but wrong: told, not run. [text, name, reason] */
export const refusable: readonly (readonly [text: string, name: string, reason: string])[] = [
  ['<tool_call>{"name": "deploy", "arguments": {}}</tool_call>', 'deploy', 'unknown'],
  ['<tool_call>{"name": "bash", "arguments": {"cmd": "ls"}}</tool_call>', 'bash', 'invalid'],
  ['<tool_call>\n<function=write>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>', 'write', 'invalid'],
  ['<function=write><parameter=path>a</parameter></function>', 'write', 'invalid'],
  ['<tool_call>deploy\n<arg_key>to</arg_key>\n<arg_value>prod</arg_value>\n</tool_call>', 'deploy', 'unknown'],
  ['[TOOL_CALLS]deploy[ARGS]{"to": "prod"}', 'deploy', 'unknown'],
  [
    '<tool_call><function=write><parameter=path>a</parameter><parameter=content>see </parameter> and </function> here</parameter></function></tool_call>',
    'write',
    'unclear',
  ],
  [
    `<tool_call><function=write><parameter=path>a</parameter><parameter=content>\n${xml}\n</parameter></function></tool_call>`,
    'write',
    'unclear',
  ],
  [
    '<tool_call><function=write><parameter=path>a</parameter><parameter=content>see </function> here</parameter></function></tool_call>',
    'write',
    'unclear',
  ],
  ['<function=read><parameter=path>a</parameter><parameter=path>b</parameter></function>', 'read', 'unclear'],
];

/** Broken off inside of a call: nothing runs, and it is known. */
export const torn: readonly string[] = [
  '<tool_call>',
  '<tool_call>\n{"name": "wri',
  '<tool_call>\n{"name": "write", "arguments": {"path": "a", "content": "x',
  '<tool_call>\n{"name": "write", "arguments": {"path": "a", "content": "<tool_call>{\\"name\\": \\"bash\\"',
  '<tool_call>\n<function=write>\n<parameter=path>\na\n</parameter>\n<parameter=content>\nhalf of',
  '<function=write><parameter=path>a</parameter><parameter=content>half of <b>it</b>',
  '<function=read>',
  '<invoke name="bash">\n<parameter name="command">rm -rf bui',
  '<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a/long/pa',
  '[TOOL_CALLS]write[ARGS]{"path": "a", "content": "x',
  '[TOOL_CALLS]write[ARGS]{"path": "a", "content": "x"',
  '<|channel|>commentary to=functions.bash<|message|>{"command": "ls',
  '{"name": "write", "arguments": {"path": "a", "content": "x',
  '{"name": "multi_edit", "arguments": {"path": "a", "edits": [{"old": "x"}',
  '[write(path="a", content="x',
  '```json\n{"name": "write", "arguments": {"path": "a", "content": "x',
];
