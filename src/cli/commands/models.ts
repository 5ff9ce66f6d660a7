/** `smew models ...` and `smew auth`: which models there are, what is known about one, whether it answers; keys kept. */

import { keepKey } from '../../session/auth.ts';
import { type ConnectionReport, testConnection } from '../../session/connection.ts';
import { type ListedModel, listModels, type ModelInfo, type ModelList, modelInfo } from '../../session/model-list.ts';
import { terminalText } from '../../surfaces/headless/terminal-text.ts';
import { type CommandIo, failWith, print, tell } from '../command-io.ts';
import type { Invocation } from '../invocation.ts';
import { readInput } from '../stdin.ts';

type ModelsInvocation = Extract<Invocation, { command: `models ${string}` | 'auth' }>;
type Of<Command extends ModelsInvocation['command']> = Extract<ModelsInvocation, { command: Command }>;

export async function runModels(invocation: ModelsInvocation, io: CommandIo): Promise<number> {
  switch (invocation.command) {
    case 'models list':
      return await list(invocation, io);
    case 'models info':
      return await info(invocation, io);
    case 'models test-connection':
      return await test(invocation, io);
    case 'auth':
      return await auth(invocation, io);
    default:
      return invocation satisfies never;
  }
}

async function list({ cd, isJson }: Of<'models list'>, io: CommandIo): Promise<number> {
  const models = await listModels(io.world, placed(cd));
  if (!models.ok) return await failWith(models.fault, io);
  tell(models.value.notices, io);
  const { providers, absent } = models.value;
  return await print(isJson ? json({ providers, absent }) : terminalText(listText(models.value)), io);
}

function listText({ providers, absent }: ModelList): string {
  const groups = providers.map(({ provider, access, baseUrl, models }) =>
    [`${provider}  (${access}, ${baseUrl})`, ...models.map((model) => modelLine(provider, model))].join('\n'),
  );
  const ways = absent
    .filter(({ keyVariables }) => keyVariables.length > 0)
    .map(({ provider, keyVariables }) => `  ${provider.padEnd(12)}${keyVariables[0]}`);
  const none = providers.length === 0 ? ['No provider is set up and no server answers on this machine.'] : [];
  const others = ways.length > 0 ? [`Others, and the variable for the key:\n${ways.join('\n')}`] : [];
  return [...none, ...groups, ...others].join('\n\n');
}

function modelLine(provider: string, { id, isLoaded, contextTokens, price, efforts }: ListedModel): string {
  const facts = [
    contextTokens === undefined ? '' : `${grouped(contextTokens)} tokens`,
    price === undefined ? '' : `$${price.input} in, $${price.output} out`,
    efforts === undefined ? '' : `efforts ${efforts.join(' ')}`,
    isLoaded ? 'loaded' : '',
  ].filter((fact) => fact !== '');
  return `  ${`${provider}/${id}`.padEnd(44)} ${facts.join('; ')}`.trimEnd();
}

async function info({ model, cd, isJson }: Of<'models info'>, io: CommandIo): Promise<number> {
  const found = await modelInfo(io.world, placed(cd, model));
  if (!found.ok) return await failWith(found.fault, io);
  const { notices, ...facts } = found.value;
  tell(notices, io);
  return await print(isJson ? json(facts) : terminalText(infoText(found.value)), io);
}

function infoText({ model, wire, url, card }: ModelInfo): string {
  const { price, sources } = card;
  const shown = (value: boolean | undefined): string => (value === undefined ? 'not known' : value ? 'yes' : 'no');
  const cached = price?.cached === undefined ? '' : `, $${price.cached} cached input`;
  const rows: readonly (readonly [string, string, string | undefined])[] = [
    ['window', `${grouped(card.contextTokens)} tokens`, sources.contextTokens],
    ['longest reply', amount(card.maxOutputTokens), sources.maxOutputTokens],
    [
      'price per million',
      price === undefined ? 'not known' : `$${price.input} input, $${price.output} output${cached}`,
      sources.price,
    ],
    ['efforts', card.efforts?.join(', ') ?? 'not known', sources.efforts],
    ['sees images', shown(card.seesImages), sources.seesImages],
    ['calls tools', shown(card.callsTools), sources.callsTools],
    ['thinks', shown(card.thinks), sources.thinks],
  ];
  const table = rows.map(
    ([name, value, from]) => `${name.padEnd(19)}${value}${from === undefined ? '' : `  [${from}]`}`,
  );
  return [`${model}  (${wire}, ${url})`, ...table].join('\n');
}

const amount = (tokens: number | undefined): string =>
  tokens === undefined ? 'not known' : `${grouped(tokens)} tokens`;

/** 0: it answers and calls tools. 1: it answers, and that is all. 5: it does not answer. */
async function test({ model, cd, isJson }: Of<'models test-connection'>, io: CommandIo): Promise<number> {
  const report = await testConnection(io.world, placed(cd, model));
  if (!report.ok) return await failWith(report.fault, io);
  const { notices, ...facts } = report.value;
  tell(notices, io);
  const printed = await print(isJson ? json(facts) : terminalText(testText(report.value)), io);
  return report.value.tools === 'works' ? printed : 1;
}

const verdicts: Readonly<Record<ConnectionReport['tools'], string>> = {
  works: 'tools work',
  'not called': 'it did not call the tool that it was asked to call',
  'called wrongly': 'it called the tool with wrong arguments',
  refused: 'the server takes no tools for this model; Smew tells them in the prompt instead',
};

function testText({ model, wire, url, ...report }: ConnectionReport): string {
  const { servedBy, firstOutputMs, totalMs, tools, usage, adapted } = report;
  const first = firstOutputMs === undefined ? '' : `first output after ${firstOutputMs} ms, `;
  const tokens = usage ? `, ${usage.inputTokens} tokens in, ${usage.outputTokens} out` : '';
  return [
    `${model} answers  (${wire}, ${url})`,
    ...(servedBy === undefined ? [] : [`served by ${servedBy}`]),
    `${first}all after ${totalMs} ms${tokens}`,
    verdicts[tools],
    ...(adapted.length > 0 ? [`changed for this server: ${adapted.join(', ')}`] : []),
  ].join('\n');
}

async function auth({ provider, cd }: Of<'auth'>, io: CommandIo): Promise<number> {
  if (io.terminal.in.isTTY) io.terminal.err.write(`Paste the key for ${provider}, then Enter and Ctrl+D.\n`);
  const input = await readInput(io.terminal.in);
  if (!input.ok) return await failWith(input.fault, io);
  const kept = await keepKey(io.world, placed(cd), { provider, text: input.value.text });
  return kept.ok
    ? await print(`The key for ${provider} is kept in ${kept.value}.`, io)
    : await failWith(kept.fault, io);
}

const placed = (cd: string | undefined, model?: string) => ({
  ...(cd === undefined ? {} : { cd }),
  ...(model === undefined ? {} : { model }),
});

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** 12,345 in every locale. */
const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');
