import {type Fields, fieldsOf} from './fields.ts';
import type {AgentStream} from './agent-stream.ts';
import type {StreamEvent} from './stream-event.ts';

export type StreamLine = {
  readonly events: readonly StreamEvent[];
  /** Not worth keeping: what it says comes again. */
  readonly isProgress: boolean;
};

/** Reads one line. What is no JSON object is shown as it is: programs print warnings wherever they like. */
export function readStreamLine(stream: AgentStream, line: string): StreamLine {
  const record = recordIn(line);
  if (record === undefined) return {events: line.trim() === '' ? [] : [{type: 'notice', text: line.trim()}], isProgress: false};
  if (stream.isProgress?.(record) === true) return {events: [], isProgress: true};
  return {events: stream.read(record), isProgress: false};
}

/** All lines of a text, for those who have it whole. */
export function readStream(stream: AgentStream, lines: readonly string[]): StreamEvent[] {
  return lines.flatMap((line) => readStreamLine(stream, line).events);
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
