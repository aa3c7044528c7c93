import {sanitizeText} from '../shared/index.ts';
import {withSlash} from './failure-match.ts';
import {toPlainLines} from './log-lines.ts';

/** More items are neither compared by a person nor worth storing in the journal. */
const maxItems = 300;
const maxLength = 200;

/**
 * Everything that failed in the log of a check, by names that do not change when lines move: tests,
 * or diagnostics without their lines. `undefined` when the list may be incomplete: an unknown tool,
 * a log that ends before its summary, or fewer names than the summary counts. An incomplete list
 * would let a new failure pass for an old one.
 */
export function parseFailedItems(
  log: string,
  {root}: {readonly root?: string} = {},
): readonly string[] | undefined {
  const lines = toPlainLines(log);
  const results = tools.flatMap((read) => read(lines) ?? []);
  if (results.length === 0 || results.some(({isComplete}) => !isComplete)) return undefined;
  const below = root === undefined || root === '' || root === '/' ? undefined : withSlash(root);
  const clean = (item: string): string =>
    sanitizeText(below === undefined ? item : item.replaceAll(below, ''))
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(0, maxLength)
      .toWellFormed();
  // A repeated name is two failures (in two files, for example). A tool that repeats itself does so
  // every time.
  const items = results.flatMap(({items: own}) => numbered(own.map(clean))).toSorted();
  return items.length === 0 || items.length > maxItems ? undefined : items;
}

type FailedItems = {readonly items: readonly string[]; readonly isComplete: boolean};

/** Undefined when the log is not of this tool, or nothing failed. */
type Reader = (lines: readonly string[]) => FailedItems | undefined;

const tools: readonly Reader[] = [
  byNames({
    item: /^\s*not ok \d+(?: - | )(?<name>.*?)\s*$/,
    isItem: (name) => !/# (?:TODO|SKIP)\b/i.test(name),
    clean: (name) => name.replace(/ # time=[\d.]+\w+| \{$/g, ''),
    end: /^1\.\.\d+|^# fail \d+/,
    count: /^# fail (?<count>\d+)/,
  }),
  byNames({
    item: /^\s*✖ (?<name>.+?) \(\d+(?:\.\d+)?ms\)/,
    end: /^ℹ fail \d+/,
    count: /^ℹ fail (?<count>\d+)/,
  }),
  byNames({
    item: /^\s*FAIL\s+(?<name>\S+ (?:> .+?|\[ .+ \]))\s*$/,
    end: /^\s*Test Files\s+\d+ failed/,
    count: /^\s*Tests\s+(?<count>\d+) failed/,
    isRedrawn: true,
  }),
  byNames({
    item: /^(?:FAILED|ERROR) (?<name>[^\s(]\S*(?:::.+?)?)(?: - .*)?$/,
    end: /^(?:=+ )?\d+ (?:failed|errors?)\b.* in [\d.]+s/,
    count: /^(?:=+ )?(?<count>\d+) failed\b.* in [\d.]+s/,
  }),
  byNames({
    item: /^(?:FAIL|ERROR): (?<name>\w+ \([\w.]+\))/,
    end: /^FAILED \((?:failures|errors)=\d+/,
    count: /^FAILED \(.*?failures=(?<count>\d+)/,
  }),
  byNames({
    item: /^test (?<name>\S+) \.\.\. FAILED$/,
    end: /^test result: FAILED/,
    count: /^test result: FAILED\..*? (?<count>\d+) failed/,
  }),
  byNames({
    item: /^\s*✘ \[fail\]: (?<name>.+?)(?: \(\d.*\))?$/,
    end: /^\s*\d+ tests? failed/,
    count: /^\s*(?<count>\d+) tests? failed/,
  }),
  parseJestItems,
  parseMochaItems,
  parseGoItems,
  parseTscItems,
  parseEslintItems,
];

type Names = {
  readonly item: RegExp;
  readonly isItem?: (name: string) => boolean;
  readonly clean?: (name: string) => string;
  /** The summary, which a complete log has. */
  readonly end: RegExp;
  /** The tool's own count of failures. */
  readonly count: RegExp;
  /** The tool redraws its count; the last one is valid. */
  readonly isRedrawn?: boolean;
};

function byNames({
  item,
  isItem = () => true,
  clean = (name) => name,
  end,
  count,
  isRedrawn = false,
}: Names): Reader {
  return (lines) => {
    const items = lines
      .flatMap((line) => item.exec(line)?.groups?.['name'] ?? [])
      .filter((name) => isItem(name))
      .map((name) => clean(clean(name)));
    if (items.length === 0) return undefined;
    const counts = lines.flatMap((line) => count.exec(line)?.groups?.['count'] ?? []).map(Number);
    const counted = isRedrawn ? (counts.at(-1) ?? 0) : counts.reduce((sum, own) => sum + own, 0);
    return {items, isComplete: lines.some((line) => end.test(line)) && items.length >= counted};
  };
}

/** `FAIL file`, then `●` and the name of each test. A file that could not run is an item too. */
function parseJestItems(lines: readonly string[]): FailedItems | undefined {
  let file = '';
  const items: string[] = [];
  for (const line of lines) {
    file =
      /^\s*FAIL\s+(?:\S+ )?(?<file>\S+\.\w+)(?: \([\d.]+ m?s\))?$/.exec(line)?.groups?.['file'] ??
      file;
    const name = /^ {2}● (?<name>.+?)\s*$/.exec(line)?.groups?.['name'];
    if (name !== undefined && name !== 'Console' && file !== '') items.push(`${file} ${name}`);
  }

  const counted = lines
    .flatMap((line) => /^Tests: +(?<count>\d+) failed/.exec(line)?.groups?.['count'] ?? [])
    .reduce((sum, text) => sum + Number(text), 0);
  return items.length === 0
    ? undefined
    : {
        items,
        isComplete:
          lines.some((line) => /^Test Suites: +\d+ failed/.test(line)) && items.length >= counted,
      };
}

/** `2 failing`, then each test with its number and the names of its suites up to a colon. */
function parseMochaItems(lines: readonly string[]): FailedItems | undefined {
  const start = lines.findIndex((line) => /^\s+\d+ failing$/.test(line));
  if (start === -1) return undefined;
  const items: string[] = [];
  for (let at = start + 1; at < lines.length; at++) {
    const first = /^\s+\d+\) (?<name>.+)$/.exec(lines[at] ?? '')?.groups?.['name'];
    if (first === undefined) continue;
    const parts = [first];
    while (
      !(parts.at(-1) ?? '').endsWith(':') &&
      parts.length < maxDepth &&
      (lines[at + 1] ?? '').trim() !== ''
    )
      parts.push((lines[++at] ?? '').trim());
    items.push(parts.join(' ').replace(/:$/, ''));
  }

  return {items, isComplete: items.length >= Number(/\d+/.exec(lines[start] ?? '')?.[0])};
}

const maxDepth = 12;

/** A panic ends the tests of a package, so that later failures are unknown. */
function parseGoItems(lines: readonly string[]): FailedItems | undefined {
  const tests = lines.flatMap(
    (line) => /^\s*--- FAIL: (?<name>\S+)/.exec(line)?.groups?.['name'] ?? [],
  );
  const packages = lines.flatMap((line) => {
    const found = /^FAIL\s+(?<name>\S+)\s+(?:\d[\d.]*s|\[(?<why>[\w ]+)\])$/.exec(line)?.groups;
    return found === undefined
      ? []
      : [`${found['name'] ?? ''}${found['why'] === undefined ? '' : ` [${found['why']}]`}`];
  });
  if (tests.length + packages.length === 0) return undefined;
  return {
    items: [...tests, ...packages],
    isComplete: packages.length > 0 && !lines.some((line) => /^panic:|^fatal error:/.test(line)),
  };
}

function parseTscItems(lines: readonly string[]): FailedItems | undefined {
  const items = lines.flatMap((line) => {
    const found =
      /^(?<file>\S[^():]*?)(?:\(\d+,\d+\):|:\d+:\d+ -) error (?<code>TS\d+): (?<text>.+)$/.exec(
        line,
      )?.groups;
    return found === undefined
      ? []
      : [`${found['file'] ?? ''} ${found['code'] ?? ''} ${found['text'] ?? ''}`];
  });
  return items.length === 0 ? undefined : {items, isComplete: true};
}

function parseEslintItems(lines: readonly string[]): FailedItems | undefined {
  let file = '';
  const items: string[] = [];
  for (const line of lines) {
    if (/^(?:\/|[A-Za-z]:\\|\.?[\w@.-]+\/).*\.\w+$/.test(line)) file = line;
    const found = /^\s+\d+:\d+\s+error\s+(?<text>.+?)\s*$/.exec(line)?.groups?.['text'];
    if (found !== undefined && file !== '') items.push(`${file} ${found.replaceAll(/\s+/g, ' ')}`);
  }

  const counted = lines
    .flatMap(
      (line) => /^✖ \d+ problems? \((?<count>\d+) errors?/.exec(line)?.groups?.['count'] ?? [],
    )
    .reduce((sum, text) => sum + Number(text), 0);
  return items.length === 0
    ? undefined
    : {items, isComplete: counted > 0 && items.length >= counted};
}

/** Numbers the repeated items: `name`, `name (2)`. */
function numbered(items: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const times = (seen.get(item) ?? 0) + 1;
    seen.set(item, times);
    return times === 1 ? item : `${item} (${times})`;
  });
}
