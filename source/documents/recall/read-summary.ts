import {parseDocument} from 'yaml';
import {type Reading, type Problem, sanitizeText} from '../../base/index.ts';
import {withPlainLines} from '../read-text.ts';
import {mostFiles, outcomes, type Outcome} from '../summary/summary-front.ts';

/** A summary as it is searched: ours, or any markdown that somebody put beside ours. */
export type Summary = {
  readonly title: string;
  readonly run?: string;
  readonly task?: string;
  readonly outcome: Outcome | 'unknown';
  /** `2026-10-20` */
  readonly date?: string;
  readonly files: readonly string[];
  readonly commits: readonly string[];
  readonly tokens?: number;
  /** The text without what stands between the dashes, safe to print. */
  readonly body: string;
};

/** Reads a summary. Never fails: what is not there is left out, what is too much is cut, and both are told. */
export function readSummary(source: string): Reading<Summary> {
  const problems: Problem[] = [];
  if (source.length > mostCharacters)
    problems.push({
      line: 1,
      text: `Expected at most ${mostCharacters} characters, got ${source.length}. The rest is not searched; make it shorter.`,
    });
  const text = withPlainLines(source.slice(0, mostCharacters));
  const {front, body, line} = splitFront(text);
  const fields = front === undefined ? {} : fieldsOf(front, problems);
  const shown = sanitizeText(body).trim();
  return {
    value: {
      title: titleOf(shown),
      ...optional('run', textOf(fields['run'])),
      ...optional('task', textOf(fields['task'])),
      outcome: outcomes.find((outcome) => outcome === fields['outcome']) ?? 'unknown',
      ...optional('date', dateIn(textOf(fields['date'], 30) ?? '')),
      files: textsOf(fields['files'], mostFiles),
      commits: textsOf(fields['commits'], 50),
      ...(typeof fields['tokens'] === 'number' &&
        Number.isFinite(fields['tokens']) && {tokens: fields['tokens']}),
      body: shown,
    },
    problems:
      shown === ''
        ? [
            ...problems,
            {
              line,
              text: 'Expected the text of a summary, got nothing. There is nothing to find in it.',
            },
          ]
        : problems,
  };
}

/** `2026-10-20` out of a text or a file name, if it is a day that can be. */
export function dateIn(text: string): string | undefined {
  const date = /(?<!\d)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)/.exec(text)?.[0];
  return date === undefined || Number.isNaN(Date.parse(date)) ? undefined : date;
}

const mostCharacters = 64 * 1024;
const mostFrontCharacters = 32 * 1024;

function splitFront(text: string): {
  readonly front?: string;
  readonly body: string;
  readonly line: number;
} {
  if (!text.startsWith('---\n')) return {body: text, line: 1};
  const end = text.indexOf('\n---\n', 3);
  if (end === -1 || end > mostFrontCharacters) return {body: text, line: 1};
  return {
    front: text.slice(4, end + 1),
    body: text.slice(end + 5),
    line: text.slice(0, end + 5).split('\n').length,
  };
}

/** Aliases and tags mean nothing, so that no file can grow while it is read. */
function fieldsOf(front: string, problems: Problem[]): Readonly<Record<string, unknown>> {
  const document = parseDocument(front, {
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  if (document.errors.length > 0) {
    problems.push({
      line: 1,
      text: 'Expected YAML between the dashes, got something else. It is searched by its text alone.',
    });
    return {};
  }

  try {
    const fields: unknown = document.toJS({maxAliasCount: 0});
    return typeof fields === 'object' && fields !== null && !Array.isArray(fields)
      ? (fields as Record<string, unknown>)
      : {};
  } catch {
    problems.push({
      line: 1,
      text: 'Expected plain values between the dashes, got aliases. They are not followed.',
    });
    return {};
  }
}

function titleOf(body: string): string {
  const heading = /^ {0,3}#{1,6} (.*\S.*)$/m.exec(body)?.[1];
  const line = heading ?? body.split('\n').find((one) => one.trim() !== '') ?? '';
  // Cut first: marks at the end of a long line take long to find.
  return line
    .trim()
    .slice(0, 200)
    .replace(/[ #]+$/, '')
    .replace(/^(?:Task|Run): /, '');
}

function optional<Key extends string>(
  key: Key,
  value: string | undefined,
): Partial<Record<Key, string>> {
  return value === undefined ? {} : ({[key]: value} as Record<Key, string>);
}

function textOf(value: unknown, most = 80): string | undefined {
  return typeof value === 'string' && value !== '' ? sanitizeText(value.slice(0, most)) : undefined;
}

function textsOf(value: unknown, most: number): string[] {
  const list: readonly unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? [value]
      : [];
  return list.slice(0, most).flatMap((one) => textOf(one, 1000) ?? []);
}
