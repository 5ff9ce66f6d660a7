/**
 * What a step costs at the start and at the end of a long session. A step of ours lasts from the last byte of a reply to the
 * head of the next request: reading the reply, the journal, the tool, building the request. The session lies in memory
 * where there is a file system for that, so that the disk's flush is not measured.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { measure, median } from './process-tree.ts';
import { environment, launcher } from './program.ts';
import { makeRepository } from './task.ts';

export interface LongSession {
  readonly steps: number;
  readonly stepTenMs: number;
  readonly stepLastMs: number;
  /** The last step's time as a multiple of the tenth's. */
  readonly ratio: number;
  readonly lastRequestBytes: number;
}

/** Throws where the session did not get to its end. */
export async function longSession(folder: string, steps: number): Promise<LongSession> {
  const repository = join(folder, 'repository');
  makeRepository(repository);
  const server = await startEndlessServer(steps);
  const args = [launcher, 'run', 'Read on.', '-m', 'openai/mock-model', '--permission-mode', 'bypass', '--quiet'];
  const command = { runtime: process.execPath, args: [...args, '--max-steps', String(steps + 1)], cwd: repository };
  const cost = await measure({ ...command, env: environment(folder, server.url) }, 'time');
  await server.close();
  const { ownMs } = server;
  if (cost.exitCode !== 0 || ownMs.length !== steps)
    throw new Error(`The long session ended after ${ownMs.length} steps, exit code ${cost.exitCode}:\n${cost.stderr}`);
  const stepTenMs = median(ownMs.slice(5, 15));
  const stepLastMs = median(ownMs.slice(-10));
  return { steps, stepTenMs, stepLastMs, ratio: stepLastMs / stepTenMs, lastRequestBytes: server.lastRequestBytes() };
}

/** Asks for a file again and again, `steps` times, and keeps nothing but times. */
async function startEndlessServer(steps: number) {
  const ownMs: number[] = [];
  let answered = 0;
  let finishedMs: number | undefined;
  let lastRequestBytes = 0;
  const server = createServer((request, response) => {
    if (finishedMs !== undefined) ownMs.push(performance.now() - finishedMs);
    let bytes = 0;
    request.on('data', (piece: Buffer) => {
      bytes += piece.length;
    });
    request.on('end', () => {
      lastRequestBytes = bytes;
      reply(response, answered++, steps);
      response.on('finish', () => {
        finishedMs = performance.now();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listens on TCP, so it is not a pipe's name
  return {
    url: `http://127.0.0.1:${port}/v1`,
    ownMs: ownMs as readonly number[], // the caller only reads
    lastRequestBytes: () => lastRequestBytes,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Another part of the file each time: a model that asks for the same thing over and over is another story. */
function reply(response: ServerResponse, turn: number, steps: number): void {
  const file = turn % 2 === 0 ? 'calc.sh' : 'README.md';
  const args = JSON.stringify({ path: file, offset: (turn % 3) + 1 });
  const call = { index: 0, id: `call_${turn}`, type: 'function', function: { name: 'read', arguments: args } };
  const isLast = turn >= steps;
  const event = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ id: 'mock', object: 'chat.completion.chunk', model: 'mock-model', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(event({ role: 'assistant', ...(isLast ? { content: 'Done.' } : { tool_calls: [call] }) }, null));
  response.end(`${event({}, isLast ? 'stop' : 'tool_calls')}data: [DONE]\n\n`);
}
