/** The parts of a failure's text (`FirstFailure.text`), as far as they are known. */
export type FailureDetails = {
  readonly tool?: string;
  readonly test?: string;
  /** `test/prices.test.js:5`. */
  readonly place?: string;
  readonly expected?: string;
  readonly got?: string;
  /** The failure in one short line: `null !== 450`. */
  readonly reason: string;
  /** The first lines as they are, for a failure of which nothing else is known. */
  readonly lines: readonly string[];
};

/** Journals have only the text of a failure; this reads its parts back. Never throws. */
export function parseFailureText(text: string): FailureDetails {
  const all = text.slice(0, maxTextLength).split('\n');
  const head = parseHead(all[0] ?? '');
  const rest = head === undefined ? all : all.slice(1);
  const place = /^at (\S.*)$/.exec(rest[0] ?? '')?.[1];
  const body = (head !== undefined && place !== undefined ? rest.slice(1) : rest).filter(
    (line) => line.trim() !== '',
  );
  const values = findValues(body);
  return {
    ...(head?.tool !== undefined && head.tool !== 'unknown' && {tool: head.tool}),
    ...(head?.test !== undefined && {test: head.test}),
    ...(head !== undefined && place !== undefined && {place: shortPlace(place)}),
    ...values,
    reason: toReason(body, values) ?? head?.test ?? '',
    lines: body.slice(0, maxLines),
  };
}

const maxTextLength = 8000;
const maxLines = 12;
const maxValueLength = 200;

/** Names of tools, as the readers write them; the longer of two with the same beginning first. */
const toolPattern =
  /^(annotation|ava|cargo test|checkstyle|clang|code-quality|eslint|g\+\+|gcc|go test|golangci-lint|go|gradle|javac|java|jest|junit-xml|junit|kotlinc|ld|make|maven|minitest|mocha|mypy|node:test|node|npm|perl|php|phpunit|playwright|pylint|pyright|pytest|python|rspec|rubocop|ruby|ruff|rustc|rust|sarif|shellcheck|stylelint|tap|tsc|unittest|unknown|vitest)(?:: (.+))?$/;

function parseHead(line: string): {readonly tool: string; readonly test?: string} | undefined {
  const match = toolPattern.exec(line);
  if (match?.[1] === undefined) return undefined;
  return {tool: match[1], ...(match[2] !== undefined && {test: match[2]})};
}

/** The column says little to a person. */
function shortPlace(place: string): string {
  return place.replace(/^(.+:\d+):\d+$/, '$1');
}

type Values = {readonly expected: string; readonly got: string};

/** What was expected and what came instead, in the forms of common tools. */
function findValues(lines: readonly string[]): Values | undefined {
  for (const line of lines) {
    const text = line.trim().slice(0, maxValueLength);
    for (const pattern of onOneLine) {
      const {expected, got} = pattern.exec(text)?.groups ?? {};
      if (expected !== undefined && got !== undefined) return {expected, got};
    }
  }

  const expected = findValue(lines, /^\W{0,3}expected:\s+(\S.*)$/i);
  const got = findValue(lines, /^\W{0,3}(?:received|actual|got):\s+(\S.*)$/i);
  return expected === undefined || got === undefined ? undefined : {expected, got};
}

const onOneLine: readonly RegExp[] = [
  /^(?:AssertionError\b.*?: )?(?<got>\S.*?) !==? (?<expected>\S.*)$/,
  /^(?:\w+Error: )?expected:? <(?<expected>.+?)> but was:? ?<(?<got>.+?)>/i,
  /^(?:\w+Error: )?expected (?!values )(?<got>\S.*?) to (?:be|equal|deeply equal|strictly equal) (?<expected>\S.*?)(?: \/\/.*)?$/i,
  /^(?:\w+Error: )?expected:? (?<expected>\S.*?),? (?:but )?(?:got|was|received):? (?<got>\S.*)$/i,
  /^(?:.* )?got:? (?<got>\S.*?)[,;]? want(?:ed)?:? (?<expected>\S.*)$/i,
  /^(?:E\s+)?(?:AssertionError: )?assert (?<got>\S.*?) == (?<expected>\S.*)$/,
];

function findValue(lines: readonly string[], pattern: RegExp): string | undefined {
  for (const line of lines) {
    const value = pattern.exec(line.trim().slice(0, maxValueLength))?.[1];
    if (value !== undefined) return value;
  }

  return undefined;
}

function toReason(body: readonly string[], values: Values | undefined): string | undefined {
  if (values !== undefined) return `${values.got} !== ${values.expected}`;
  return body[0]?.trim();
}
