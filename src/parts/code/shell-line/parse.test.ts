import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineParser } from './parse.ts';
import { parsePlain } from './plain.ts';
import type { Node, Redirection, Sequence, Word } from './tree.ts';

const parse = lineParser();

/** The tree in brackets, for reading. */
const show = ({ items }: Sequence): string =>
  items.map(({ node, isBackground }) => showNode(node) + (isBackground ? ' &' : '')).join('; ');

const words = (list: readonly Word[]) =>
  list.map(
    ({ value, source, substitutions }) =>
      (value ?? `?${source}`) + substitutions.map((inner) => `<${show(inner)}>`).join(''),
  );

const redirects = (list: readonly Redirection[]) =>
  list.map(({ descriptor, operator, target }) => `${descriptor ?? ''}${operator}${target ? words([target]) : ''}`);

function showNode(node: Node): string {
  switch (node.kind) {
    case 'simple': {
      const assigned = node.assignments.map(({ name, value }) => `${name}=${value ? words([value]) : ''}`);
      return `[${[...assigned, ...words(node.words), ...redirects(node.redirections)].join(' ')}]`;
    }
    case 'pipeline':
      return `${node.isNegated ? '!' : ''}(${node.stages.map(showNode).join(' | ')})`;
    case 'and-or':
      return `(${showNode(node.left)} ${node.operator} ${showNode(node.right)})`;
    case 'sequence':
      return show(node);
    case 'subshell':
    case 'group':
      return [`${node.kind}{${show(node.body)}}`, ...redirects(node.redirections)].join(' ');
    case 'if':
      return `if{${show(node.condition)}}{${show(node.body)}}${node.otherwise ? `{${show(node.otherwise)}}` : ''}`;
    case 'loop':
      return `loop{${node.condition ? show(node.condition) : words(node.words).join(' ')}}{${show(node.body)}}`;
    case 'case':
      return `case{${words(node.words).join(' ')}}${node.branches.map((branch) => `{${show(branch)}}`).join('')}`;
    case 'function':
      return `${node.name}(){${show(node.body)}}`;
    case 'unknown':
      return `??${node.reason}`;
    default:
      return node satisfies never;
  }
}

describe('a line becomes a tree', () => {
  test.each([
    ['npm test', '[npm test]'],
    ['./a.sh --x=1 src/**', '[./a.sh --x=1 ?src/**]'],
    ['A=1 B="x $y" npm test', '[A=1 B=?"x $y" npm test]'],
    [`echo 'a b' "c\\"d" e\\ f`, '[echo a b c"d e f]'],
    ['echo "  " ""', '[echo    ]'],
    ['a && b || c; d & e', '(([a] && [b]) || [c]); [d] &; [e]'],
    ['a\nb\n\nc', '[a]; [b]; [c]'],
    // The grammar hangs the redirection on the whole list.
    ['cd a && npm test 2>&1 | tail -5 || true', '(([cd a] && ([npm test 2>&1] | [tail -5])) || [true])'],
    ['a && b > f', '([a] && [b >f])'],
    ['a && b > f | c', '([a] && ([b >f] | [c]))'],
    ['! a | b', '!([a] | [b])'],
    ['! a && b', '(!([a]) && [b])'],
    ['a |& b', '([a] | [b])'],
    ['(a; b) | c', '(subshell{[a]; [b]} | [c])'],
    ['{ a; b; } > f', 'group{[a]; [b]} >f'],
    ['if a; then b; elif c; then d; else e; fi', 'if{[a]}{[b]}{if{[c]}{[d]}{[e]}}'],
    ['for i in 1 2; do a; done', 'loop{1 2}{[a]}'],
    ['while a; do b; done < f', 'loop{[a]}{[b]}'],
    ['for ((i=0;i<3;i++)); do a; done', /^loop\{.*\}\{\[a\]\}$/],
    ['case $x in a) b;; c|d) e; f;; esac', 'case{?$x}{[b]}{[e]; [f]}'],
    ['f() { a; }; f', 'f(){group{[a]}}; [f]'],
    ['echo "$(npm test | tail)"', '[echo ?"$(npm test | tail)"<([npm test] | [tail])>]'],
    ['x=$(npm test)', '[x=?$(npm test)<[npm test]>]'],
    ['diff <(a) <(b; c)', '[diff ?<(a)<[a]> ?<(b; c)<[b]; [c]>]'],
    ['[ -f x ] && [[ -d y ]]', '([[ ?[ -f x ]] && [[[ ?[[ -d y ]]])'],
    ['export A=1 B', '[A=1 export B]'],
    ['a <<< "x"', '[a <<<x]'],
    ['> x', '[>x]'],
    ['a # comment', '[a]'],
    ['# comment', ''],
    ['', ''],
  ])('%j', async (line, expected) => {
    const { body, hasErrors } = await parse(line);
    if (typeof expected === 'string') expect(show(body)).toBe(expected);
    else expect(show(body)).toMatch(expected);
    expect(hasErrors).toBe(false);
  });
});

describe('a here-document is data', () => {
  test.each([
    ['cat > f <<EOF\nnpm test\nEOF\nnpm run b', '[cat >f <<npm test\n]; [npm run b]'],
    ['cat <<EOF > out; npm test\nx\nEOF', '[cat <<x\n >out]; [npm test]'],
    ['cat <<A <<-"B" | b && c\nx\nA\n\ty $(z)\n\tB\nd', '(([cat <<x\n <<\ty $(z)\n] | [b]) && [c]); [d]'],
    ['cat <<EOF\n$(rm x) "q"\nEOF', '[cat <<?$(rm x) "q"\n<[rm x]>]'],
    [`cat <<'EOF' &\n$(rm x) it's\nEOF\nls`, `[cat <<$(rm x) it's\n] &; [ls]`],
    [
      `git commit -m "$(cat <<'EOF'\nmake it's\nEOF\n)" && b`,
      /^\(\[git commit -m \?.*<\[cat <<make it's\n\]>\] && \[b\]\)$/s,
    ],
    ['echo $((1<<2)); b', '[echo ?$((1<<2))]; [b]'],
    ['a <<EOF\nnever closed', '[a <<]'],
  ])('%j', async (line, expected) => {
    const { body } = await parse(line);
    if (typeof expected === 'string') expect(show(body)).toBe(expected);
    else expect(show(body)).toMatch(expected);
  });
});

describe('what is not understood', () => {
  test.each([
    "echo 'unclosed",
    '! { a; } | b',
    '! while a; do b; done',
    'if a; then b',
    '(a',
    'a |',
    'a && && b',
    ')',
    'a "b',
  ])('is told: %j', async (line) => {
    expect((await parse(line)).hasErrors).toBe(true);
  });

  test('is told of what lies too deep or is too long', async () => {
    expect(await parse(`${'('.repeat(200)}a${')'.repeat(200)}`)).toMatchObject({ hasErrors: true });
    expect(await parse('$('.repeat(2000))).toMatchObject({ hasErrors: true });
    expect(show((await parse(`${'x;'.repeat(60_000)}`)).body)).toBe('??size');
  });

  test('never throws, and keeps every span inside of the line', async () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        ' ',
        '|',
        '&&',
        '||',
        ';',
        '&',
        '\n',
        '(',
        ')',
        '{ ',
        ' }',
        '"',
        "'",
        '`',
        '$(',
        '$((',
        '<<E',
        '<<-"E"',
        'E',
        '>f',
        '2>&1',
      ],
      ...[
        'if ',
        'then ',
        'fi',
        'for x in',
        'do ',
        'done',
        'case x in',
        'esac',
        '!',
        '\\',
        '#',
        '$x',
        '${x',
        '}',
        '<(',
        'é',
        '😀',
        '\0',
        'x=',
        '[[ ',
        ' ]]',
      ],
    );
    const line = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(line, async (source) => {
        const { body } = await parse(source);
        for (const span of spansIn(body)) {
          expect(span.start).toBeGreaterThanOrEqual(0);
          expect(span.end).toBeLessThanOrEqual(source.length);
        }
      }),
      { numRuns: process.env['SMEW_TEST_LONG'] ? 20_000 : 400, seed: 5 },
    );
  });
});

function* spansIn(value: unknown): Generator<{ start: number; end: number }> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'span' && !isFromHereDocument(value)) yield inner;
    if (key !== 'substitutions') yield* spansIn(inner);
  }
}
const isFromHereDocument = (value: object) => 'kind' in value && value.kind === 'unknown';

describe('a line of plain words', () => {
  test.each(['npm test', './gradlew build --info', 'sh ./test.sh', 'git log -n1 --format=oneline', 'ls\n'])(
    '%j needs no parser',
    (line) => {
      expect(parsePlain(line)?.body.items).toHaveLength(1);
    },
  );

  test.each([
    'A=1 b',
    'a|b',
    'a $x',
    'a *',
    'a?',
    'a ~',
    'a [b]',
    'a\nb',
    'if a',
    'time a',
    'a "b"',
    'a #b',
    'a {b,c}',
    '! a',
    ' ',
    '(a)',
    'a\\',
    'export A=1',
  ])('%j needs it', (line) => {
    expect(parsePlain(line)).toBeUndefined();
  });

  test('has the same tree as the parser gives', async () => {
    const word = fc.stringMatching(/^[a-z@%+:,./-][\w@%+:,./-]{0,6}$/);
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 5 }), async (list) => {
        const plain = parsePlain(list.join(' '));
        const parsed = await parse(`${list.join(' ')};`);
        // The grammar stumbles over a few plain words, such as a lone plus.
        fc.pre(plain !== undefined && !parsed.hasErrors);
        expect(show(parsed.body)).toBe(show(plain?.body ?? parsed.body));
      }),
      { numRuns: 100, seed: 5 },
    );
  });
});
