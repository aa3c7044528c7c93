import type {AgentStream, StreamEvent} from './agent-stream.ts';
import {asFields, type Fields} from './fields.ts';
import {parseNotice} from './service-errors.ts';

type Kind = 'text' | 'thought';

/** Tracks which texts of a message were already emitted in parts. */
export type Parts = {
  /** A new message starts; texts of the last one that did not come whole are dropped. */
  readonly clear: () => void;
  /** A text starts; its parts follow. */
  readonly begin: (kind: Kind) => void;
  readonly add: (kind: Kind, text: string) => readonly StreamEvent[];
  /** The whole text; emits what was not emitted in parts. */
  readonly finish: (kind: Kind, text: string) => readonly StreamEvent[];
};

/** Longer than any real message. Of a longer one, the rest is emitted when it comes whole. */
const maxCharacters = 4 * 1024 * 1024;
const maxTexts = 1000;

/** Emits the parts of a message as they come, and only the rest when the whole message comes. */
export function createParts(): Parts {
  let texts: {readonly kind: Kind; emitted: string}[] = [];
  return {
    clear: () => {
      texts = [];
    },
    begin: (kind) => {
      if (texts.length < maxTexts) texts.push({kind, emitted: ''});
    },
    add: (kind, text) => {
      const last = texts.findLast((one) => one.kind === kind);
      if (last === undefined || text === '' || last.emitted.length + text.length > maxCharacters)
        return [];
      const begins = last.emitted === '';
      last.emitted += text;
      return [{type: kind, text, isPart: true, ...(begins && {begins: true})}];
    },
    finish: (kind, text) => {
      const place = texts.findIndex((one) => one.kind === kind);
      const emitted = place === -1 ? '' : (texts.splice(place, 1)[0]?.emitted ?? '');
      if (emitted === '' || !text.startsWith(emitted)) return [{type: kind, text}];
      const rest = text.slice(emitted.length);
      return rest === '' ? [] : [{type: kind, text: rest, isPart: true}];
    },
  };
}

export type StreamLine = {
  readonly events: readonly StreamEvent[];
  /** Not saved, because a later record has the same content. */
  readonly isProgress: boolean;
};

/**
 * Parses the lines of one stream, in order. A line that is not a JSON object becomes a notice,
 * because programs print warnings anywhere.
 */
export function createStreamReader(stream: AgentStream): (line: string) => StreamLine {
  const read = stream.open();
  return (line) => {
    const record = parseRecord(line);
    if (record === undefined)
      return {events: line.trim() === '' ? [] : [parseNotice(line.trim())], isProgress: false};
    return {events: read(record), isProgress: stream.isProgress?.(record) === true};
  };
}

/** Parses all lines of a complete stream. */
export function parseStream(stream: AgentStream, lines: readonly string[]): StreamEvent[] {
  const read = createStreamReader(stream);
  return lines.flatMap((line) => read(line).events);
}

function parseRecord(line: string): Fields | undefined {
  // Some agents print a byte order mark, a carriage return or a bell before the first record.
  const before = /^[\s\u0000-\u001F\uFEFF]*(?=\{)/.exec(line)?.[0];
  if (before === undefined) return undefined;
  try {
    const record = asFields(JSON.parse(line.slice(before.length)));
    return Object.keys(record).length === 0 ? undefined : record;
  } catch {
    return undefined;
  }
}
