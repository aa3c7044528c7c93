import {findAnyPlace, findBareFile} from './any-place.ts';
import {failedName} from './failure-marks.ts';
import {crash, harmless, innerError, passedEnd, statement, warningLevel} from './line-patterns.ts';
import {verdict, wrapper} from './run-patterns.ts';

/**
 * What one line is, without regard to its neighbours:
 * - `failed`: a test with the runner's mark of failure
 * - `error`: an error, by its level or its form; `crash`: the program itself died
 * - `item`: a place with a message, as linters list them; `warning`: the same with a weaker level
 * - `statement`: what failed although no test did: coverage, no tests found, obsolete snapshots
 * - `section`: the heading of a list of failures
 * - `word`: mentions a failure
 * - `passed`, `summary`, `wrapper`, `echo`, `harmless`: never the failure
 */
export type LogLineKind =
  | 'failed'
  | 'crash'
  | 'error'
  | 'statement'
  | 'item'
  | 'warning'
  | 'section'
  | 'word'
  | 'passed'
  | 'summary'
  | 'wrapper'
  | 'echo'
  | 'harmless'
  | 'text';

export type ClassifiedLine = {readonly kind: LogLineKind; readonly name?: string};

/** Every pattern takes linear time on a line of bounded length. */
export function classifyLine(text: string): ClassifiedLine {
  const line = shortened(text);
  if (line.length < 2 || !interesting.test(line)) return plain;
  if (isPassed(line)) return {kind: 'passed'};
  if (statement.test(line)) return {kind: 'statement'};
  if (isEcho(line)) return {kind: 'echo'};
  if (harmless.test(line)) return {kind: 'harmless'};
  if (section.test(line)) return {kind: 'section'};
  if (annotation.test(line)) return {kind: isWrapper(line) ? 'wrapper' : 'error'};
  if (isWrapper(line)) return {kind: 'wrapper'};
  const name = failedName(line);
  if (name !== undefined && /^\[?(?:ERROR|error)\b/.test(name)) return {kind: 'error'};
  if (name !== undefined)
    return (isSummary(name) && !/^\S+ {2,}\d+ {2,}\S/.test(name)) ||
      /^[\d.]+ ?(?:m?s|sec)\b/.test(name) ||
      /^\W*failed \d+\/\d+|^\W*FAILED \(\w+=|^(?:result|status|outcome|overall)\b/i.test(line)
      ? {kind: 'summary'}
      : {kind: 'failed', name};
  if (isSummary(line) && !numberedError.test(line)) return {kind: 'summary'};
  if (crash.test(line)) return {kind: 'crash'};
  if (isWarning(line)) return {kind: 'warning'};
  if (isError(line)) return {kind: 'error'};
  if (isItem(line)) return {kind: 'item'};
  return mention.test(line) ? {kind: 'word'} : plain;
}

const maxLength = 240;
/** Long runs of spaces would make the patterns slow, and say nothing. */
function shortened(text: string): string {
  const line = text.length > maxLength ? text.slice(0, maxLength) : text;
  return line.includes(gap) ? line.replaceAll(/ {24,}/g, gap) : line;
}

const gap = ' '.repeat(24);
const plain: ClassifiedLine = {kind: 'text'};

/** A line without any of these is text; most lines of a long log are. */
const interesting =
  /err|fail|panic|fatal|assert|not ok|exception|cannot|can't|could|unable|not |denied|refused|invalid|undef|unexp|mismatch|abort|kill|timed|missing|expect|wrong|unused|unknown|warn|traceback|check|crit|emerg|alert|runtime|sanitizer|segm|termin|==|\*\*|unhandled|uncaught|\d\)|:\d|\d:|\(\d|line \d|@ \d|\b[EFWCR]: |[✖✘✗✕×❌❎⨯⨉☓❗●✱✓✔√✅☑○↓•]|🔴|🛑|\[[-x+E]\]|\bKO\b|coverage|threshold|obsolete|handle|risky|exceed|would|no |\bok\b|pass|skip|success|done|^[+$>!] |^\s*\d+\.? |^\d+(?:,\d+)?[acd]\d|-{4}|issue|violat|TODO|^ {2,}\S+: |\.\w+$|exit|L: |ruleid|finding/i;

/** A passed or skipped test; its title may be about errors. */
export function isPassed(line: string): boolean {
  return passedStart.test(line) || passedEnd.test(line);
}

const passedStart =
  /^[\s|│┃├└─>]{0,40}(?:(?:✓|✔|√|✅|☑|○|◌|↓|﹣|⚪|⊘|∅|⊝|⏭)(?:\s|$)|ok\b(?::| \d| -|\s{2,}\S|$)|(?:PASS|PASSED|SKIP|SKIPPED|IGNORED?|XFAIL|TODO)\b(?!\w)|--- (?:PASS|SKIP)\b|=== (?:RUN|PAUSE|CONT|NAME)\b|\[ {0,8}(?:OK|PASS|PASSED|RUN|SKIP|SKIPPED|DISABLED|ok|✓|✔|\+) {0,8}\]|\[[-=]{6,}\]|(?:changed|ok|skipping|included): \[|test \S.{0,300} \.\.\. (?:ok|ignored)|\+ \S.{0,200} \d[\d.]*m?s$|◇ )/u;

/** Commands that a shell, make or a runner prints before it runs them. */
export function isEcho(line: string): boolean {
  return echo.test(line);
}

const echo =
  /^(?:\++ \S|\$ |> (?!\d|\[)\S|##\[(?:command|group|endgroup|section|debug)|::(?:group|endgroup|notice|debug)|section_(?:start|end)|Running |Executing |RUN |CMD |\/bin\/sh -c |task: \[|[\w-]+: commands\[\d+\]>|(?:\/\S{0,200}\/)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ld|ar|rustc|javac|python3?|node|npm|npx|pnpm|yarn|go|cargo|pdflatex|xelatex|lualatex|bash|sh|docker|cd|rm|mkdir|cp|echo|test) (?:[^:]{0,300} )?(?:-{1,2}\w|"|'|&&))/;

/** `::error …::` of GitHub, `##[error]` of Azure. */
const annotation = /^\s*(?:::error\b[^:]{0,300}::|##\[error\]|##vso\[task\.logissue type=error)/;

/** The heading of a list of failures. */
const section =
  /^[\s=*─━⎯━_-]{0,100}(?:(?:Summary of |Summarizing \d+ )?(?:Failures?|Failed \w{4,12}|Errors?|FAILURES|ERRORS|FAILED|Offenses|Failing (?:tests|scenarios)|Test [Ff]ailures)|There (?:was|were) \d+ (?:failures?|errors?)|#\s+failure\s+detail|\d+ (?:failing|tests? failed)|(?:the following|these) (?:tests?|checks?) (?:failed|did not pass))\b(?: \(?\d+\)?)?[\s:=*─━⎯_-]{0,100}$/i;

const wrapperInside =
  /\b(?:exited|finished|failed|terminated|returned|completed)\b.{0,40}\b(?:exit (?:code|status)|code|status|error:? command)\b.{0,30}\d|\bexited \(\d+\)|Main process exited/i;

function isWrapper(line: string): boolean {
  return !line.startsWith('- ') && (wrapper.test(line) || wrapperInside.test(line));
}

/** Counts and verdicts at the end of a run: they name no failure. */
export function isSummary(line: string): boolean {
  return summary.test(line) || verdict.test(line);
}

/** `ERROR 1146 (42S02) at line 6: …` is no count. */
const numberedError = /^ERROR \d{2,6} \(\w{1,10}\)/;

const counted =
  'tests?|specs?|examples?|assertions?|assertion\\(s\\)|test\\(s\\)|passed|passing|pass|fail|failed|failing|failures?|failure\\(s\\)|errors?|problems?|warnings?|issues?|problem\\(s\\)|error\\(s\\)|warning\\(s\\)|issue\\(s\\)|scenarios?|features?|steps?|files?|checks?|suites?|violations?|offenses?|skipped|pending|todo|ignored|runs?|items? had|results?|chart\\(s\\)|Tests?';
const summary = new RegExp(
  String.raw`^[^\w(]{0,100}(?:found |and |in |of |one |two |total:? |analysis failed with |reported |done linting! found |linted )?(?:\d+|one|some)(?:%| of \d+| out of \d+|/\d+)? {1,2}(?:\w+[ -]){0,3}?(?:${counted})(?:\b|(?<=\)))|^[^\w(]{0,100}(?:${counted}|test (?:suites|files|cases|results?)|suites|snapshots|asserts?|checks|total|pass|fail|cancelled|ok|duration\w*|time|ran|ran all|finished in|done in|start at|summary|successes)\b ?(?:run|count)?[:=|]?\s*(?:[:=|] ?)?\[?\d|^[^\w]{0,60}(?:ran|found|executed|checked) \d+`,
  'i',
);

function isWarning(line: string): boolean {
  return warningLevel.test(line);
}

function isError(line: string): boolean {
  return (
    /^ {1,4}x [A-Z]\w/.test(line) ||
    startError.test(line) ||
    placedError.test(line) ||
    innerError.test(line)
  );
}

/** `error: …`, `[ERROR] …`, `fatal: …`, `CMake Error at …`, `Syntax error …`, `ERROR in …` */
const startError =
  /^[\s|│┃>*!]{0,20}(?:\d{4}\S{0,30} |[\w./-]{1,40}: )?[[<(]?(?:(?:fatal|internal|compile|compiler|compilation|syntax|parse|type|runtime|build|validation|configuration|link|linker|execution|semantic|analysis|latex|cmake|package \w+|class \w+) )?(?:error|fatal|critical|emerg|crit|alert|failure|exception|err|severe)\b[\]>)]{0,2}(?:\s?\[[^\]]{1,30}\]|\s{0,6}\([^)]{1,40}\)|\s[A-Z]{0,6}\d{2,5}(?:\s?\([^)]{1,40}\))?)?(?:\s?[:!]|\s-|\s(?:in|at|on|near|from|occurred|during|when|while)\s|\s{2,4}\S|\s["'`/\d]|\s•|\s┈|\s\[)/i;
/** A place, then a level. */
const placedError =
  /^\s*<error\b|(?:[:(,]\d{1,7}\)?|\d:\d{1,7})[\s:,-]{1,12}(?:\[?(?:fatal |internal |syntax |parse )?(?:error|err|fatal)\b|[✖✘✗×❌]|\(?[EF]\d{2,5}\b)/iu;

/** A place and a message, a file that a formatter would change, or a row of a table of problems. */
function isItem(line: string): boolean {
  if (/^\s*(?:at |from |in |#\d|>\s*\d|\.{3}|Location:|file:)/.test(line)) return false;
  if (line.startsWith('--- ')) return findBareFile(line) !== undefined;
  if (formatted.test(line) || row.test(line)) return true;
  const place = findAnyPlace(line);
  if (place?.line === undefined || !isOwnFile(place.file)) return false;
  // A place at the end of a line is a remark: `Scenario: … # features/a.feature:3`
  const base = place.file.slice(place.file.lastIndexOf('/') + 1);
  return line.trimStart().indexOf(base) < 80 && !/\s# \S+$/.test(line);
}

const formatted =
  /^\s*(?:would (?:reformat|change|be (?:re)?formatted)|needs? format\w*|not formatted|unformatted|Diff in|File needs|(?:\d+\) )\S+\.\w+ \(|Incorrect\w* formatted|File would be|>> Issue|RuleID:)/i;
const row =
  /^\d{1,6}(?:,\d{1,6})?[acd]\d{1,6}(?:,\d{1,6})?$|^\s*(?:\d{1,6} {0,4}[|│]\s*(?:ERROR|WARNING)\b|L: {1,6}\d+ \||\d{1,6}(?::\d{1,6})? {2,}[A-Z]\S* \S)/;
const mention =
  /\b(?:errors?|fails?(?!-)|failed|failure|failing|exception|cannot|can't|could not|couldn't|unable to|not found|no such file|denied|refused|invalid|undefined|unexpected|mismatch|aborted|killed|timed out|missing|expected|wrong|unused|unknown|differs?|not equal|incorrect|violations?)\b/i;

function isOwnFile(file: string): boolean {
  return !/node_modules|^<|^node:|^https?:|site-packages/.test(file);
}
