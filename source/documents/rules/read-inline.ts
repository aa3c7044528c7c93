/** A piece of an item's words. A comment is left out of what agents read. */
export type InlinePart = {
  readonly kind: 'text' | 'code' | 'comment';
  /** As it was written. */
  readonly raw: string;
  /** What stands between the backticks, or the text. */
  readonly content: string;
};

/** Finds code spans and comments as CommonMark does: a span ends at the next run of as many backticks. */
export function readInline(text: string): InlinePart[] {
  const parts: InlinePart[] = [];
  const closers = closersOf(text);
  let from = 0;
  const take = (kind: InlinePart['kind'], start: number, end: number, content: string): void => {
    if (start > from) parts.push(textPart(text.slice(from, start)));
    parts.push({kind, raw: text.slice(start, end), content});
    from = end;
  };

  const interesting = /\\[^]|`+|<!--/g;
  for (let match = interesting.exec(text); match !== null; match = interesting.exec(text)) {
    const [mark] = match;
    const start = match.index;
    if (mark.startsWith('`')) {
      const close = closers.backticks(mark.length, interesting.lastIndex);
      if (close === -1) continue;
      take('code', start, close + mark.length, text.slice(interesting.lastIndex, close).trim());
    } else if (mark === '<!--') {
      const close = closers.comment(interesting.lastIndex);
      if (close === -1) continue;
      take('comment', start, close + 3, '');
    } else {
      continue;
    }

    interesting.lastIndex = from;
  }

  if (from < text.length) parts.push(textPart(text.slice(from)));
  return parts;
}

type Closers = {
  /** Where the first run of exactly this many backticks begins, from here on; -1 if none. */
  readonly backticks: (length: number, from: number) => number;
  readonly comment: (from: number) => number;
};

/** Looks ahead once for the whole text: searching anew from every opening mark would be quadratic. */
function closersOf(text: string): Closers {
  const runs = new Map<number, number[]>();
  for (const {0: run, index} of text.matchAll(/`+/g)) {
    const starts = runs.get(run.length);
    if (starts === undefined) runs.set(run.length, [index]);
    else starts.push(index);
  }

  const passed = new Map<number, number>();
  const lastComment = text.lastIndexOf('-->');
  return {
    backticks: (length, from) => {
      const starts = runs.get(length) ?? [];
      let index = passed.get(length) ?? 0;
      while ((starts[index] ?? from) < from) index += 1;
      passed.set(length, index);
      return starts[index] ?? -1;
    },
    comment: (from) => (from <= lastComment ? text.indexOf('-->', from) : -1),
  };
}

function textPart(raw: string): InlinePart {
  return {kind: 'text', raw, content: raw};
}
