/** Server-sent events from bytes: characters and lines may be split anywhere. */
import { createParser } from 'eventsource-parser';

export interface SseReader {
  /** True when the bytes ended at least one event: comments do not count. */
  feed(bytes: Uint8Array): boolean;
  /** The stream is over; hands out an event that lacked its blank line. */
  end(): void;
}

/** `take` gets the data of each event. */
export function readSse(take: (data: string) => void): SseReader {
  const decoder = new TextDecoder();
  let events = 0;
  const parser = createParser({
    onEvent: ({ data }) => {
      events++;
      take(data);
    },
  });
  return {
    feed: (bytes) => {
      const before = events;
      parser.feed(decoder.decode(bytes, { stream: true }));
      return events > before;
    },
    end: () => parser.feed(`${decoder.decode()}\n\n`),
  };
}
