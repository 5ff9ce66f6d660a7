import { describe, expect, it } from 'vitest';
import { readCall } from '../call.ts';
import { explainName, resolveToolName } from './resolve.ts';

const declared = [
  'read',
  'write',
  'edit',
  'bash',
  'grep',
  'glob',
  'list',
  'todo',
  'mcp__files__search_files',
  'mcp__web__search',
  'apply_patch',
];

const resolved: readonly (readonly [string, string])[] = [
  ['read', 'read'],
  ['Read', 'read'],
  ['READ ', 'read'],
  ['"read"', 'read'],
  ['`bash`', 'bash'],
  ['$bash', 'bash'],
  ['applyPatch', 'apply_patch'],
  ['apply-patch', 'apply_patch'],
  ['applypatch', 'apply_patch'],
  ['functions.read', 'read'],
  ['functions.read:0', 'read'],
  ['functions_read', 'read'],
  ['tool.read', 'read'],
  ['tools/read', 'read'],
  ['default_api.read', 'read'],
  ['default_api:read', 'read'],
  ['read:0', 'read'],
  ['read_0', 'read'],
  ['read_tool', 'read'],
  ['readTool', 'read'],
  ['tool_call_read', 'read'],
  ['read<|channel|>commentary', 'read'],
  ['read<|channel|>json', 'read'],
  ['read<|message|>', 'read'],
  ['read</name>', 'read'],
  ['<read>', 'read'],
  ['read()', 'read'],
  ['read{"path":"a"}', 'read'],
  ['read\n{"path":"a"}', 'read'],
  ['readread', 'read'],
  ['apply_patchapply_patch', 'apply_patch'],
  ['google:tool:bash:index:0', 'bash'],
  ['repo_browser.list', 'list'],
  ['workspace.read', 'read'],
  ['read_file', 'read'],
  ['readFile', 'read'],
  ['functions.read_file', 'read'],
  ['functions.read_file:3', 'read'],
  ['view', 'read'],
  ['write_to_file', 'write'],
  ['create_file', 'write'],
  ['str_replace', 'edit'],
  ['replace_in_file', 'edit'],
  ['run_shell_command', 'bash'],
  ['execute_command', 'bash'],
  ['run_terminal_cmd', 'bash'],
  ['container.exec', 'bash'],
  ['shell', 'bash'],
  ['ls', 'list'],
  ['list_directory', 'list'],
  ['ripgrep', 'grep'],
  ['grep_search', 'grep'],
  ['TodoWrite', 'todo'],
  ['update_plan', 'todo'],
  ['mcp__files__search-files', 'mcp__files__search_files'],
  ['mcp.files.search_files', 'mcp__files__search_files'],
  ['files__search_files', 'mcp__files__search_files'],
  ['files.search_files', 'mcp__files__search_files'],
  ['search_files', 'mcp__files__search_files'],
];

const unknown: readonly (readonly [string, readonly string[]])[] = [
  ['raed', ['read']],
  ['wirte', ['write']],
  ['gerp', ['grep']],
  ['apply_pach', ['apply_patch']],
  ['execute_python', []],
  ['python', []],
  ['toolbox.web.answer', []],
  ['delete', []],
  ['read_database', []],
  ['bash_history_clear', []],
  ['mcp__other__read', ['read']],
  ['mcp__github__list', ['list']],
  ['readwrite', []],
  ['fetch', []],
];

describe('the name of a tool', () => {
  it.each(resolved)('%j is %s', (spelled, name) => {
    expect(resolveToolName(spelled, declared)).toMatchObject({ name });
  });

  it.each(unknown)('%j is none, and near %j', (spelled, near) => {
    const found = resolveToolName(spelled, declared);
    expect('nearest' in found ? found : found.name).toMatchObject({ nearest: near, isEmpty: false });
  });

  it('that is declared is taken before any reading of it', () => {
    for (const name of ['functions.read', 'shell', 'Read', 'tool', 'read_0']) {
      expect(resolveToolName(name, [name, 'read', 'bash'])).toEqual({ name, steps: [], rest: '' });
    }
  });

  it('is not guessed where two tools could be meant', () => {
    expect(resolveToolName('run_command', ['bash', 'shell'])).toHaveProperty('nearest');
    expect(resolveToolName('Read', ['READ', 'read'])).toHaveProperty('nearest');
    expect(resolveToolName('search', ['mcp__a__search', 'mcp__b__search'])).toHaveProperty('nearest');
  });

  it('that only vendors and channels speak of is no name', () => {
    for (const name of ['', ' ', 'assistant<|channel|>analysis', 'functions', '<|channel|>commentary', 'tool:0']) {
      expect(resolveToolName(name, declared)).toMatchObject({ isEmpty: true });
    }
  });

  it('can be left as it came', () => {
    expect(
      resolveToolName('Read', declared, new Set(['name.case', 'name.alias', 'name.clean', 'name.namespace'])),
    ).toHaveProperty('nearest');
    expect(resolveToolName('shell', declared, new Set(['name.alias']))).toHaveProperty('nearest');
  });

  it('that is unknown is answered with the nearest and with all', () => {
    expect(explainName('raed', ['read'], ['read', 'bash'])).toBe(
      'There is no tool "raed". Did you mean read? The tools are: read, bash.',
    );
    expect(explainName('x', [], [])).toBe('There is no tool "x". This session has no tools: answer in text.');
  });
});

const spec = (name: string, key: string) => ({
  name,
  description: '',
  parameters: { type: 'object', properties: { [key]: { type: 'string' } }, required: [key] },
});

describe('a call', () => {
  const specs = [spec('read', 'path'), spec('bash', 'command')];

  it('without a name is the one tool that its arguments fit', () => {
    const read = readCall({ name: '<|channel|>', arguments: '{"command":"ls"}' }, specs);
    expect(read).toMatchObject({ ok: true, value: { name: 'bash', inputs: [{ command: 'ls' }] } });
  });

  it('without a name is refused where two fit, or none, or only after a mend', () => {
    for (const text of ['{"x":1}', '{}', '', '{"cmd":"ls"}']) {
      expect(readCall({ name: '', arguments: text }, specs)).toMatchObject({ ok: false, fault: { class: 'name' } });
    }
    const two = readCall({ name: '', arguments: '{"path":"a"}' }, [...specs, spec('list', 'path')]);
    expect(two).toMatchObject({ ok: false, fault: { class: 'name' } });
  });

  it('with its arguments in its name is read, if there are no others', () => {
    const read = readCall({ name: 'read{"path":"a"}', arguments: '' }, specs);
    expect(read).toMatchObject({ ok: true, value: { name: 'read', inputs: [{ path: 'a' }] } });
    const both = readCall({ name: 'read{"path":"a"}', arguments: '{"path":"b"}' }, specs);
    expect(both).toMatchObject({ ok: true, value: { inputs: [{ path: 'b' }] } });
  });

  it('names each mend', () => {
    const read = readCall({ name: 'functions.read_file:0', arguments: "{'filePath':'a'}" }, specs);
    expect(read.ok && read.value.repairs.map(({ step }) => step)).toEqual(['name.alias', 'json.quotes', 'key.alias']);
  });
});
