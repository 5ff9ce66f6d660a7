/** Recorded answers, fed to a wire in any pieces. */
import { isDeepStrictEqual } from 'node:util';
import { ok, type Result } from '../../../base/result.ts';
import type { Wire } from '../../../loop/ports.ts';
import type { Fault } from '../../../protocol/fault.ts';
import type { RawReply } from '../../../protocol/model.ts';
import type { Endpoint, WireOptions } from '../endpoint.ts';
import type { Http } from '../http.ts';
import { asking, ear } from './asking.ts';

type OpenWire = (endpoint: Endpoint, options: WireOptions) => Wire;
type Answer = Result<RawReply, Fault>;

/** An answer that arrives in exactly these pieces. */
const inPieces = (pieces: readonly Uint8Array[]): Http => ({
  send: async () =>
    ok({
      status: 200,
      headers: {},
      read: async (take) => {
        for (const piece of pieces) if (take(piece) === 'done') return undefined;
        return undefined;
      },
    }),
  close: () => {},
});

/** What the wire makes of these pieces. */
export const answerIn =
  (open: OpenWire, endpoint: Endpoint) =>
  (pieces: readonly Uint8Array[]): Promise<Answer> =>
    open(endpoint, { http: inPieces(pieces), clock: { now: () => 0 } })(asking(), ear().io);

/** The places at which a split in two changes the reply: none. */
export async function wrongSplits(
  bytes: Uint8Array,
  answer: (pieces: readonly Uint8Array[]) => Promise<Answer>,
  reply: RawReply,
): Promise<number[]> {
  const wrong: number[] = [];
  for (let at = 0; at <= bytes.length; at++) {
    const got = await answer([bytes.subarray(0, at), bytes.subarray(at)]);
    if (!isDeepStrictEqual(got, ok(reply))) wrong.push(at);
  }
  return wrong;
}

/** The places before `end` at which a cut is taken for a whole reply: none. */
export async function takenCuts(
  bytes: Uint8Array,
  answer: (pieces: readonly Uint8Array[]) => Promise<Answer>,
  end: number,
): Promise<number[]> {
  const taken: number[] = [];
  for (let at = 0; at < end; at++) {
    const got = await answer([bytes.subarray(0, at)]);
    if (got.ok ? !got.value.isCut : got.fault.kind !== 'cut') taken.push(at);
  }
  return taken;
}
