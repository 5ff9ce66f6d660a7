/** Server-sent events from bytes: characters and lines may be split anywhere. */
import { createParser } from 'eventsource-parser';

export interface SseReader {
  feed(bytes: Uint8Array): void;
  /** The stream is over; hands out an event that lacked its blank line. */
  end(): void;
}

/** `take` gets the data of each event. */
export function readSse(take: (data: string) => void): SseReader {
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: ({ data }) => take(data) });
  return {
    feed: (bytes) => parser.feed(decoder.decode(bytes, { stream: true })),
    end: () => parser.feed(`${decoder.decode()}\n\n`),
  };
}
