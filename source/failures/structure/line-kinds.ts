import {findAnyPlace} from './any-place.ts';

/** How much a line says about a failure, from nothing to a failure by the tool's own mark. */
export const weights = {
  none: 0,
  word: 1,
  item: 2,
  statement: 3,
  error: 4,
  mark: 5,
} as const;

export type Weight = (typeof weights)[keyof typeof weights];

export type Mark = {
  readonly weight: Weight;
  /** The test or the item that the mark stands at, if it names one. */
  readonly name?: string;
  /** Whether the mark is one of a test runner: then output of tests is not the failure. */
  readonly isTest?: boolean;
};

/** A passed or skipped test; its title may be about errors. */
export function isPassed(line: string): boolean {
  return passed.test(line);
}

const passed =
  /^[\s#|│├└─]{0,40}(?:✓|✔|√|✅|☑|☒ skip|[⏭○◌↓﹣⚪⊘∅⊝]|ok\b(?! \(?fail)|PASS(?:ED)?\b|SKIP(?:PED)?\b|--- (?:PASS|SKIP)\b|=== |\[ +(?:OK|PASSED|RUN|SKIPPED|DISABLED) +\]|\[-{6,}\]|\[={6,}\]|\[ok\]|- (?!\S+:\d)\S.*(?:# SKIP|\(skipped\))|\. \S|\+ (?:✓|ok)\b|\[✓\]|Scenario:|(?:Given|When|Then|And|But) .* # |changed: \[|ok: \[|skipping: \[)|(?:\.{2,}|…|:|\s-|=>|\.{3}\s*\S*)\s*(?:ok|passed|PASSED|PASS|Passed|pass|skipped.*|SKIPPED.*|SKIP|expected failure|xfail.*|XFAIL.*|OK|SUCCESS)(?:\s+[\d.,]+\s*m?s(?:ec)?)?[)\]\d.\ss]{0,20}$|^\s*test \S.* \.\.\. (?:ok|ignored)|# (?:SKIP|TODO)\b|\bXFAIL\b/;

/** Counts, verdicts and wrappers at the end of a run: they name no failure. */
export function isSummary(line: string): boolean {
  return summary.test(line);
}

const summary =
  /^\W{0,12}(?:\d+(?: of \d+)? (?:\w+[ -]){0,3}?(?:tests?|specs?|examples?|assertions?|assertion\(s\)|passed|passing|failed|failing|failures?|errors?|problems?|warnings?|issues?|problem\(s\)|error\(s\)|scenarios?|features?|steps?|files?|checks?|suites?|violations?|offenses?|skipped|pending|todo|ignored|runs?)\b|(?:tests?|test (?:suites|files|cases|results?)|suites|specs|snapshots|asserts?|assertions|files|checks|total|passed|failed|failures|errors?|skipped|pass|fail|cancelled|duration\w*|time|result|results|summary|failing|pending|todo|ran|ran all|finished in|done in|duration|start at|transform)\b ?(?:run)?[:=]?\s+(?:[:=|] ?)?\[?\d|ran \d+|found \d+|test result:|result: |looks like you failed|failed \d+\/\d+|tests? (?:run|failed|passed)\b|(?:all|some) (?:tests|checks)\b|summary\b|(?:===+|---+|[⎯─━]{3,})? ?(?:short test summary|failures?|errors?|failed tests?|failed)\b ?(?:summary|\(\d+\)|[=⎯─━-]{3,})?:?$|FAILED \((?:failures|errors)=|OK \(|OK$|FAIL$|FAILED$|(?:FAILURES|ERRORS|WARNINGS)!|checked \d+|\d+%|(?:the )?(?:process|command|job|script|task|step)\b.{0,80}\b(?:exit(?:ed)?|failed|completed|finished|status)\b|.{0,80}\bexit(?:ed)? (?:with )?(?:code|status)\b|(?:error )?Command failed|npm (?:error|ERR!)|ELIFECYCLE|error Command|(?:g?make|gmake)(?:\[\d+\])?: |ninja: build stopped|BUILD FAILED|Build failed|Compilation (?:failed|aborted|terminated)|compilation (?:failed|terminated)|(?:\S+ )?aborting due to|could not compile|Failed tasks|Run failed|Tasks:|Cached:|Failed:\s|ERROR {2}run failed|Warning: command|NX {3}|Lerna|lerna (?:ERR|info|notice)|collect2: |Test Files|Tests closed|Failed to compile|Code style issues|All matched|Process completed|The following tests|Errors while running|Job failed|error:? could not compile|To (?:see|run|fix|show|ignore)|(?:You can|Run|Use|Try|Please|Hint|Note|For more|See|Learn|More info)\b)/i;

/** Commands that a shell, make or a runner prints before it runs them, and their echoes. */
export function isEcho(line: string): boolean {
  return /^(?:\++ |\$ |> |❯ |##\[(?:command|group|endgroup|section|debug)|::group|Running |Executing |RUN |CMD |\/bin\/sh -c |(?:\/\S*\/)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ld|ar|cl|rustc|javac|python3?|node|npm|npx|pnpm|yarn|go|cargo|pdflatex|bash|sh|docker|cd|rm|mkdir|cp) (?:.* )?-[\w-])/.test(
    line,
  );
}

/** What the tool itself says does not count. */
export function isHarmless(line: string): boolean {
  return /\bignor(?:ed|ing)\b|\ballowed to fail|\bcontinue-on-error|\bexpected fail|\bknown (?:failure|issue)|\bdeprecat|\b(?:0|no|without|zero) (?:\w+ )?(?:errors?|fails?|failures?|failed|failing|problems?|warnings?|issues?)\b|\b(?:errors?|fail(?:s|ed|ures?|ing)?)\b ?[:=] ?(?:0\b|none)|\bretry|\bwill (?:retry|be retried)|\bDeprecationWarning\b|\bExperimentalWarning\b/i.test(
    line,
  );
}

/** What failed when no test did. These have no place. */
export function isStatement(line: string): boolean {
  return statement.test(line);
}

const statement =
  /\bcoverage\b.{0,120}\b(?:threshold|not met|below|does not meet|less than|minimum)\b|\bdoes not meet (?:\S+ ){0,2}threshold|\bthreshold\b.{0,60}\bnot met\b|\bno tests? (?:files? |cases? |suites? |specs? )?(?:found|ran|collected|executed|matching)|\bcollected 0 items|\bno test files? (?:found|matching)|\bno tests? (?:were|was) (?:found|run|executed)|\b\d+ snapshots?(?: files?)? obsolete|\bobsolete snapshot|\bopen handles?\b|\bdid not exit\b|\brisky\b|\btoo many warnings|\bsize limit .*\bexceeded|\bno (?:examples|specs|scenarios) found|\bdid not perform any assertions|\bexceed(?:s|ed)? the (?:size|limit|budget)|\bhas exceeded\b/i;

const signs =
  /^[\s|│┃├└─┌╭»›>*-]{0,40}(?:✖|✘|✗|✕|×|❌|❎|⨯|⨉|☓|✱|🔴|🛑|❗|●|\[x\]|\[✗\]|\[×\]|KO:?|NOK)\s{1,4}(\S.*)$/u;
const notOk = /^\s*not ok\b\s*\d*\s*(?:-\s*)?(.*)$/;
const failWord =
  /^[\s=*#|│>\-[(]{0,80}(?:FAIL(?:ED|URE)?|Failure|Failed|FAILURE|ERROR|Error|TEST FAILED)\b\s*[\])]?(?::|\s-|!| →|\s{1,4})\s*(\S.*)$/;
const failEnd =
  /^\s*(?:\d+\/\d+\s+)?(?:test |Test\s+#?\d*:?\s*|====\s*|\[\s*\d+\/\d+\]\s*)?(.{1,200}?)(?:\s|\.{2,}|:|…)\s*\*{0,3}\[?(?:FAILED|FAIL|FAILURE|ERROR|Failed|\*failed\*|failed|✖|✘|✗|NOT OK)\b?[!)\]]*(?:\s*[[(]?[\d.,]+\s*m?s(?:ec)?[\])]?)?(?: \(\d+\))?(?: in [\d.]+ ?m?s)?[:;]?\s?-?$/u;
const numbered = /^\s{0,8}(\d{1,3})[).]\s+(\S.*)$/;
const annotation =
  /^\s*(?:::error\b[^:]*::|##\[error\]|##vso\[task\.logissue type=error[^\]]*\])\s*(.*)$/;
const crash =
  /\bpanicked at\b|^panic: |^Traceback \(most recent call last\)|\b(?:Address|Leak|Thread|Memory|UndefinedBehavior)Sanitizer\b|: runtime error: |^==\d+== (?:Invalid|Conditional|Use of|Process terminating|Mismatched)|\bSegmentation fault\b|\bterminate called|\b[Aa]ssertion\b.{0,300}\bfailed\b|\bCheck failed\b|^\s*(?:\w+\.)*Assertion(?:Failed)?(?:Error|Exception)\b|^Exception in thread|^\*\* \(\w|^Unhandled|^Uncaught|\bUnhandled (?:exception|rejection)|\bcore dumped\b|<<< (?:FAILURE|ERROR)!/;
const startError =
  /^[\s|│>*!]{0,20}(?:\[|<)?(?:(?:fatal|internal|compile|compiler|syntax|parse|type|runtime|build|validation|configuration|link|linker|execution|undefined control|latex|package \w+|class \w+) )?(?:error|fatal|critical|emerg|crit|alert|failure|exception|err)\b(?:\]|>)?(?:\s?\[[^\]]{1,30}\]|\s?\([^)]{1,30}\)|\s[A-Z]{0,6}\d{2,5})?(?:\s?:|\s-|!| in | at | on |\s{1,4}\S)/i;
const innerError =
  /(?:^|[\s\])>:])(?:\w+ )?(?:error|fatal|fatal error|panic|critical)(?:\[[^\]]{1,30}\]|\s?\([^)]{1,30}\)|\s[A-Z]{0,6}\d{2,5})?: |\[(?:error|fatal|emerg|crit|alert|ERR|E)\]|\s(?:ERROR|FATAL|CRITICAL|SEVERE|ERR)\s|^[EF]: |"?level"?[=:]\s?"?(?:error|fatal)|^\w+(?:Error|Exception)\b(?::|$)|^(?:[\w.$]+\.)?[A-Z]\w*(?:Error|Exception): |\b[a-z]+ error\b.{0,20}:| - error |^! |\bcommand not found\b|: No such file or directory$|^[\w./-]+: (?:cannot|can't|unable to|could not|failed to|invalid|undefined|missing|unknown|unexpected)\b|^(?:[A-Z]\w+ )?(?:Cannot|Could not|Can't|Unable to|Failed to)\b/;
const placedLevel =
  /^\s*(?:\S.*?[:(]\d+\S*|\d+:\d+)\s*:?\s*-?\s*(?:\[?(?:fatal |internal )?(?:error|err|fatal)\b|[✖✘✗×❌]|\(?[EF]\d{2,5}\b)/iu;
const itemLevel = /^\s*(?:\[?(?:warn(?:ing)?|style|note|info|convention|refactor)\]?|[WICR])\b/i;
const words =
  /\b(?:errors?|fails?(?!-)|failed|failure|failing|exception|cannot|can't|could not|couldn't|unable to|not found|no such file|denied|refused|invalid|undefined|unexpected|mismatch|aborted|killed|timed out|missing|expected|wrong|would reformat|not formatted|unused|unknown)\b/i;
const interesting =
  /err|fail|panic|fatal|assert|not ok|exception|cannot|can't|could|unable|not |no |denied|refused|invalid|undef|unexp|mismatch|abort|kill|timed|missing|expect|wrong|unused|unknown|warn|trace|check|crit|emerg|alert|runtime|sanitizer|segm|termin|==|\*\*|unhandled|uncaught|\d\)|:\d|\d:|\(\d|line \d|[EFW]: |[✖✘✗✕×❌❎⨯⨉☓🔴🛑❗●!]|\[x\]|KO|coverage|threshold|obsolete|handle|risky|exceed|would|@ \d/iu;

/** The weight of one line, without regard to its neighbours. Every pattern takes linear time. */
export function weigh(text: string): Mark {
  const line = text.length > maxWeighed ? text.slice(0, maxWeighed) : text;
  if (line.length < 3 || !interesting.test(line)) return none;
  if (isStatement(line) && !isPassed(line) && !/\b(?:0|no) risky/i.test(line))
    return {weight: weights.statement};
  const annotated = annotation.exec(line);
  if (annotated !== null && !isSummary(annotated[1] ?? '')) return {weight: weights.mark};
  const failed = notOk.exec(line);
  if (failed !== null && !/# (?:SKIP|TODO)\b/i.test(line))
    return {weight: weights.mark, name: toName(failed[1] ?? ''), isTest: true};
  if (isPassed(line) || isEcho(line) || isHarmless(line)) return none;
  if (crash.test(line)) return {weight: weights.mark};
  if (placedLevel.test(line)) return {weight: weights.mark};
  if (isSummary(line)) return none;
  return weighMark(line) ?? weighWords(line);
}

function weighMark(line: string): Mark | undefined {
  const sign = signs.exec(line)?.[1];
  if (sign !== undefined && !isSummary(sign))
    return {weight: weights.mark, name: toName(sign), isTest: true};
  const word = failWord.exec(line)?.[1];
  if (word !== undefined && !isSummary(word)) {
    const isTest = /^\W*(?:FAIL|Fail|TEST)/.test(line) || /^\W*ERROR: \w+ \(/.test(line);
    return isTest ? {weight: weights.mark, name: toName(word), isTest} : {weight: weights.error};
  }

  const end = failEnd.exec(line)?.[1];
  if (end !== undefined && /\w/.test(end) && !isSummary(end))
    return {weight: weights.mark, name: toName(end), isTest: true};
  return undefined;
}

function weighWords(line: string): Mark {
  if (startError.test(line) || innerError.test(line)) return {weight: weights.error};
  const place = findAnyPlace(line);
  if (place?.line !== undefined && !/^\s*(?:at |from |in |#\d|\d+:\s|>)/.test(line))
    return {weight: weights.item};
  if (itemLevel.test(line) && /\S{3}/.test(line)) return {weight: weights.item};
  return words.test(line) ? {weight: weights.word} : none;
}

/** `1) title` counts only below a heading or a count of failures, which the caller knows. */
export function numberedName(line: string): string | undefined {
  const [, number, name] = numbered.exec(line) ?? [];
  return number === '1' ? toName(name ?? '') : undefined;
}

/** A title without what tools add to it: times, numbers, places in brackets. */
export function toName(text: string): string {
  return text
    .replace(/\s*[[(][\d.,]+\s?m?s(?:ec)?[\])]\s*$/, '')
    .replace(/[\s.:*]{0,40}$/, '')
    .trim();
}

const none: Mark = {weight: weights.none};
const maxWeighed = 400;
