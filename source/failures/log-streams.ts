/** Lines of one writer, without the prefix that a runner put before them. */
export type LogStream = {
  readonly lines: readonly string[];
  /** For each line its index in the log, to tell which of two streams failed first. */
  readonly indexes: readonly number[];
};

/**
 * Takes away what a CI log, a container or a monorepo runner puts before every line (times, names),
 * and separates the lines by name, so that interleaved output reads as if each writer had run alone.
 */
export function splitStreams(log: readonly string[]): readonly LogStream[] {
  const lines = withoutBoxes(withoutLevels(withoutTimes(log)));
  const shape = shapes.find((one) => isPrefix(one, lines));
  if (shape === undefined) return [{lines, indexes: lines.map((_, index) => index)}];
  const streams = new Map<string, {lines: string[]; indexes: number[]}>();
  let last = '';
  for (const [index, line] of lines.entries()) {
    const match = shape.exec(line);
    const label = match?.[1] ?? '';
    const name = isName(shape, label) ? label : '';
    // A blank line without a prefix belongs to the line before it.
    const owner = line === '' ? last : name;
    const stream = streams.get(owner) ?? {lines: [], indexes: []};
    stream.lines.push(name === '' ? line : line.slice(match?.[0].length ?? 0));
    stream.indexes.push(index);
    streams.set(owner, stream);
    last = owner;
  }

  return [...streams.values()].map(({lines: own, indexes}) => ({
    lines: withoutTimes(own),
    indexes,
  }));
}

/**
 * A time in the forms of CI logs, journals, `docker build` and `ts`; with the names of job and step
 * before it (`gh run view --log`), or of host and unit after it (`journalctl`).
 */
const time =
  /^\uFEFF?(?:[^\t]{1,100}\t[^\t]{1,100}\t\uFEFF?)?(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?(?: \d\d[OE])?\]?\|?|\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]?|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [\w.-]{1,60} [\w./@-]{1,60}(?:\[\d{1,8}\])?:|\[\s{0,6}\d{1,6}\.\d{1,6}\])(?:[ \t]|$)/;

function withoutTimes(lines: readonly string[]): readonly string[] {
  const sample = sampleOf(lines);
  const timed = sample.filter((line) => time.test(line)).length;
  // Programs that log a time print other lines as well; a prefix is on nearly every line.
  if (timed < 3 || timed < sample.length * 0.85) return lines;
  return lines.map((line) => line.replace(time, '').trimEnd());
}

/** sbt prints `[info]` before every line; a warning or an error keeps its level. */
function withoutLevels(lines: readonly string[]): readonly string[] {
  const sample = sampleOf(lines);
  const levelled = sample.filter((line) => /^\[(?:info|warn|error|success)\]/.test(line)).length;
  if (levelled < sample.length * 0.7 || !sample.some((line) => line.startsWith('[info]')))
    return lines;
  return lines.map((line) => line.replace(/^\[(?:info|error)\] ?(?=\S| |\t|$)/, ''));
}

/** Terraform and others draw a line beside each message, Alcotest an arrow before a mark. */
function withoutBoxes(lines: readonly string[]): readonly string[] {
  return lines.map((line) =>
    /^[│┃](?: |$)/.test(line) ? line.slice(2) : line.replace(/^> (?= {0,8}\[\w{2,8}\])/, '  '),
  );
}

/** GNU parallel puts the argument, often a file, and a tab before each line. */
const taggedShape = /^([\w@./-]{1,60})\t/;

/** A name before each line: group 1. */
const shapes: readonly RegExp[] = [
  /^([\w@.-]{1,60}\/[\w@./-]{1,60} [\w:-]{1,30})[:$] ?/,
  /^([\w@./-]{1,60}(?:[:#][\w@./-]{1,60}){1,3}): ?/,
  /^\[((?:\d\d:\d\d:\d\d )?[\w@./:#-]{1,60})\]:? ?/,
  /^([\w@./-]{1,60}(?: [\w:@./-]{1,40})?) *[|│] ?/,
  /^([\w@./-]{1,60} [\w:-]{1,30})[:$] ?/,
  /^(#\d{1,4}) (?:\d{1,6}\.\d{1,4} )?/,
  /^(==\d+==) ?/,
  /^ {4,20}\[([\w-]{2,20})\](?: |$)/,
  taggedShape,
  /^([\w@./-]{2,60}): ?(?=\S| |$)/,
];

/** Most lines have the shape, with few names, of which none is a file or a level. */
function isPrefix(shape: RegExp, lines: readonly string[]): boolean {
  const sample = sampleOf(lines);
  const counts = new Map<string, number>();
  let labelled = 0;
  for (const line of sample) {
    const label = shape.exec(line)?.[1];
    if (label === undefined || !isName(shape, label)) continue;
    counts.set(label, (counts.get(label) ?? 0) + 1);
    labelled += 1;
  }

  const repeated = [...counts.values()].filter((count) => count > 1);
  return (
    labelled >= (isRare(shape) ? 3 : 4) &&
    labelled >= sample.length * (isRare(shape) ? 0.3 : 0.6) &&
    repeated.reduce((sum, count) => sum + count, 0) >= labelled * 0.7 &&
    counts.size <= Math.max(4, labelled / 3)
  );
}

function isName(shape: RegExp, label: string): boolean {
  return !isLevel(label) && (shape === taggedShape || !isFile(label));
}

/** Shapes that nothing else has need fewer lines. */
function isRare(shape: RegExp): boolean {
  return shape === shapes[0] || shape.source.startsWith('^(#');
}

/** Lines from all of the log; a sample keeps a log of 20 MB fast. */
function sampleOf(lines: readonly string[]): readonly string[] {
  const step = Math.max(1, Math.floor(lines.length / 2000));
  const sample: string[] = [];
  for (let index = 0; index < lines.length; index += step)
    if (lines[index] !== '') sample.push(lines[index] ?? '');
  return sample;
}

/** A level, a keyword of a tool or a row of a table, not the name of a writer. */
function isLevel(label: string): boolean {
  return /^(?:\d+|L|-+|=+|(?:\S*[ :])?(?:error|err|warn|warning|info|note|debug|trace|fatal|notice|fail|failed|failure|ok|pass|passed|skip|skipped|emerg|crit|alert|log|[A-Z]|ERR!|g?make|got|want|expected|actual|received|at|x|main|changed|skipping|help|hint|path|file))$/i.test(
    label,
  );
}

function isFile(label: string): boolean {
  return /\.[A-Za-z]\w{0,5}(?::\d+)*$|^\/|:\d+$/.test(label);
}
