import {type Fields, fieldsOf} from './fields.ts';
import type {AgentStream} from './agent-stream.ts';
import {noticeOf} from './retry-in.ts';
import type {StreamEvent} from './stream-event.ts';

export type StreamLine = {
  readonly events: readonly StreamEvent[];
  /** Not worth keeping: what it says comes again. */
  readonly isProgress: boolean;
};

/** Reads the lines of one stream, in order. What is no JSON object is shown as it is: programs print warnings wherever they like. */
export function createStreamReader(stream: AgentStream): (line: string) => StreamLine {
  const read = stream.open();
  return (line) => {
    const record = recordIn(line);
    if (record === undefined)
      return {events: line.trim() === '' ? [] : [noticeOf(line.trim())], isProgress: false};
    return {events: read(record), isProgress: stream.isProgress?.(record) === true};
  };
}

/** All lines of a text, for those who have it whole. */
export function readStream(stream: AgentStream, lines: readonly string[]): StreamEvent[] {
  const read = createStreamReader(stream);
  return lines.flatMap((line) => read(line).events);
}

function recordIn(line: string): Fields | undefined {
  // Some print a byte order mark, a carriage return or a bell before the first record.
  const before = /^[\s\u0000-\u001F\uFEFF]*(?=\{)/.exec(line)?.[0];
  if (before === undefined) return undefined;
  try {
    const record = fieldsOf(JSON.parse(line.slice(before.length)));
    return Object.keys(record).length === 0 ? undefined : record;
  } catch {
    return undefined;
  }
}
