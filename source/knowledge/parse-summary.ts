import {parseDocument} from 'yaml';
import {isRecord, type ParseResult, type Problem, sanitizeText} from '../shared/index.ts';
import {withPlainLines, yamlOptions} from '../syntax/index.ts';
import {maxFiles, type Outcome, outcomes} from '../reports/index.ts';

/** A searchable summary: one of orchestra's, or any other markdown file in the same folder. */
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
  /** The text after the front matter, safe to print. */
  readonly body: string;
};

/**
 * Parses a summary. Never throws: missing fields are left out, long text is cut, and problems are
 * reported.
 */
export function parseSummary(source: string): ParseResult<Summary> {
  const problems: Problem[] = [];
  if (source.length > maxCharacters)
    problems.push({
      line: 1,
      text: `Expected at most ${maxCharacters} characters, got ${source.length}. The rest is not searched; make it shorter.`,
    });
  const text = withPlainLines(source.slice(0, maxCharacters));
  const {front, body, line} = splitFront(text);
  const fields = front === undefined ? {} : parseFrontMatter(front, problems);
  const shown = sanitizeText(body).trim();
  return {
    value: {
      title: findTitle(shown),
      ...optional('run', textValue(fields['run'])),
      ...optional('task', textValue(fields['task'])),
      outcome: outcomes.find((outcome) => outcome === fields['outcome']) ?? 'unknown',
      ...optional('date', findDate(textValue(fields['date'], 30) ?? '')),
      files: textValues(fields['files'], maxFiles),
      commits: textValues(fields['commits'], 50),
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

/** The first valid date, such as `2026-10-20`, in a text or a file name. */
export function findDate(text: string): string | undefined {
  const date = /(?<!\d)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)/.exec(text)?.[0];
  return date === undefined || Number.isNaN(Date.parse(date)) ? undefined : date;
}

const maxCharacters = 64 * 1024;
const maxFrontCharacters = 32 * 1024;

function splitFront(text: string): {
  readonly front?: string;
  readonly body: string;
  readonly line: number;
} {
  if (!text.startsWith('---\n')) return {body: text, line: 1};
  const end = text.indexOf('\n---\n', 3);
  if (end === -1 || end > maxFrontCharacters) return {body: text, line: 1};
  return {
    front: text.slice(4, end + 1),
    body: text.slice(end + 5),
    line: text.slice(0, end + 5).split('\n').length,
  };
}

/** Aliases and tags are not resolved, so that no file can grow while it is parsed. */
function parseFrontMatter(front: string, problems: Problem[]): Readonly<Record<string, unknown>> {
  const document = parseDocument(front, {...yamlOptions, logLevel: 'silent'});
  if (document.errors.length > 0) {
    problems.push({
      line: 1,
      text: 'Expected YAML between the dashes, got something else. It is searched by its text alone.',
    });
    return {};
  }

  try {
    const fields: unknown = document.toJS({maxAliasCount: 0});
    return isRecord(fields) ? fields : {};
  } catch {
    problems.push({
      line: 1,
      text: 'Expected plain values between the dashes, got aliases. They are not followed.',
    });
    return {};
  }
}

function findTitle(body: string): string {
  const heading = /^ {0,3}#{1,6} (.*\S.*)$/m.exec(body)?.[1];
  const line = heading ?? body.split('\n').find((one) => one.trim() !== '') ?? '';
  // Cut first: the pattern for trailing marks is slow on a long line.
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

function textValue(value: unknown, max = 80): string | undefined {
  return typeof value === 'string' && value !== '' ? sanitizeText(value.slice(0, max)) : undefined;
}

function textValues(value: unknown, max: number): string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.slice(0, max).flatMap((one) => textValue(one, 1000) ?? []);
}
