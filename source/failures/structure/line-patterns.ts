/** One expression for a line that any of the patterns matches. */
export function anyOf(patterns: readonly RegExp[], flags = ''): RegExp {
  return new RegExp(patterns.map(({source}) => `(?:${source})`).join('|'), flags);
}

/** What failed when no test did. These have no place. */
export const statement = anyOf(
  [
    // coverage below its threshold
    /\bcoverage\b.{0,120}\b(?:threshold|not met|not reached|below|does not meet|less than|lower than|under|minimum)\b/,
    /\bdoes not meet (?:\S+ ){0,3}threshold/,
    /\bthresholds?\b.{0,80}\b(?:not met|crossed|exceeded)\b/,
    // a run without tests
    /\bno tests? (?:files? |cases? |suites? |specs? )?(?:found|ran|run|collected|executed|matching|matched|discovered|to run)/,
    /\bno test (?:suite|spec)s? found/,
    /\bcollected 0 items/,
    /\bno tests? (?:were|was|is) (?:found|run|executed|available|discovered)/,
    // snapshots that no test uses
    /\b\d+ snapshots?(?: files?)? obsolete/,
    /\bobsolete snapshot/,
    // a test that keeps the process alive
    /\bopen handles?\b.{0,40}(?:keeping|prevent|:|detected)/,
    /\bdid not exit\b/,
    // a limit on warnings
    /\btoo many warnings/,
    // a bundle that is too large
    /\bsize limit .{0,60}\bexceeded/,
    // a run without examples
    /\bno (?:examples|specs|scenarios|features) (?:found|to run)/,
    // a test that asserts nothing
    /\bdid not perform any assertions/,
    // any other limit
    /\bexceed(?:s|ed)? the (?:size|limit|budget|maximum)/,
    // PHPUnit: a test that asserts nothing
    /\b[1-9]\d* risky\b/,
    // a run without tests, as a warning
    /^Warning: No tests/,
    // tests passed, the run did not
    /\bpassed but .{0,80}(?:exit|fail)/,
    // pylint: a score below the minimum
    /\bfewer than the minimum\b/,
  ],
  'i',
);

/** What the tool itself says does not count. */
export const harmless = anyOf(
  [
    // `error ignored`; not an error at a place whose text says so
    /^(?!error: \S+:\d).*\bignor(?:ed|ing)\b/,
    // a job that may fail
    /\ballowed to fail/,
    /\bcontinue-on-error/,
    // a failure that the test expects
    /\bexpected fail/,
    /\bknown (?:failure|issue)/,
    // deprecations
    /\bdeprecat/,
    // `0 errors`, `no failures`
    /\b(?:0|no|without|zero) (?:\w+ )?(?:errors?|fails?|failures?|failed|failing|problems?|warnings?|issues?)\b(?!\s?[:)]\s?[1-9])/,
    // `errors: 0`
    /\b(?:errors?|fail(?:s|ed|ures?|ing)?)\b ?[:=] ?(?:0\b(?!,)|none\b)/,
    /\berrors? count:? 0\b/,
    // an attempt that is repeated
    /\bretry(?:ing)?\b/,
    // warnings of Node.js
    /\bDeprecationWarning\b/,
    /\bExperimentalWarning\b/,
    // a frame without a place
    /^\s*at <\w+>$/,
    // a comment in SQL, a rule of CMake
    /^-- /,
    // a comment of Prolog, a row of coverage
    /^\s*\|?\s*% /,
  ],
  'i',
);

/** The program itself died, or an assertion in it did not hold. */
export const crash = anyOf([
  // Rust
  /\bpanicked at\b/,
  // Go
  /^panic: /,
  // Python
  /^\s*Traceback \(most recent call last\)/,
  // sanitizers of clang and gcc
  /\b(?:Address|Leak|Thread|Memory|UndefinedBehavior)Sanitizer: /,
  /: runtime error: /,
  // Valgrind
  /^(?:==\d+== ?)?(?:Invalid (?:read|write|free)|Conditional jump|Use of uninitialised|Process terminating|Mismatched free)/,
  // the system
  /\bSegmentation fault\b/,
  // C++
  /\bterminate called/,
  // `Assertion failed: …`
  /\b[Aa]ssertion\b.{0,300}\b[Ff]ailed\b/,
  // Flutter
  /EXCEPTION CAUGHT BY/,
  /^The following \w+ was thrown/,
  // Chromium and glog
  /\bCheck failed\b/,
  // Python and the JVM
  /^\s*(?:\w+\.)*Assertion(?:Failed)?(?:Error|Exception)\b/,
  // the JVM
  /^Exception in thread/,
  // Elixir
  /^\*\* \(\w/,
  // JavaScript and others
  /^Unhandled/,
  /^Uncaught/,
  /\bUnhandled (?:exception|rejection)/,
  // the shell
  /\bcore dumped\b/,
]);

/** A level inside the line, an exception, or a sentence that only errors begin with. */
export const innerError = anyOf([
  // `Error Cannot …`
  /^(?:error|ERROR|Error|fatal|FATAL) [A-Z]/,
  // git: a merge conflict
  /^CONFLICT \(/,
  // a sentence of a shell or a loader
  /^(?:can't|cannot) [a-z]/,
  // `Module not found: …`
  /^[A-Z][\w ]{2,40} not found: /,
  // `… error[E01]: `, `… fatal: `
  /(?:^|[\s\])>:])(?:\w+ )?(?:error|fatal|fatal error|panic|critical)(?:\[[^\]]{1,30}\]|\s?\([^)]{1,30}\)|\s[A-Z]{0,6}\d{2,5})?: /,
  // `[error]`
  /\[(?:error|fatal|emerg|crit|alert|ERR|E)\]/,
  // a column with a level
  /(?:\s|\|)(?:ERROR|FATAL|CRITICAL|SEVERE|ERR)(?:\s|\|)/,
  // pylint and apt: a letter for the level
  /^[EF]: /,
  // structured logs
  /"?level"?[=:]\s?"?(?:error|fatal)/,
  // `java.io.IOException: …`
  /^(?:[\w$]{1,60}[.:]{1,2}){0,12}(?:[A-Z]\w{0,80})?(?:Error|Exception)\b(?:[:(]|$)/,
  // `validation error in …: `
  /\b[a-z]+ error\b.{0,20}: /,
  // `a.ts:1:2 - error `
  / - error /,
  // TeX
  /^! \S/,
  // Rollup and others
  /\[!\] /,
  // `target: FAILED:`
  /: FAILED:$/,
  // `rake aborted!`
  /^\w+ aborted!/,
  // GoogleTest: a place before the failure
  /:\d+: Failure$/,
  // the shell
  /\bcommand not found\b/,
  /: not found$/,
  /: No such file or directory/,
  // Ansible
  /\bfatal: \[/,
  // `tool: cannot …`
  /^[\w./-]{1,200}: (?:cannot|can't|unable to|could not|failed to|invalid|undefined|missing|unknown|unexpected)\b/,
  // `Cannot …`, `npm Failed to …`
  /^(?:[A-Z]\w+ )?(?:Cannot|Could not|Can't|Unable to|Failed to)\b/,
  // doctest
  /^Failed example:/,
]);

/** A level below an error. */
export const warningLevel = anyOf(
  [
    // `CMake Warning`
    /^\w+ Warning\b/,
    // the level first
    /^[\s>│|]{0,20}\[?(?:warn(?:ing)?|info|note|notice|style|convention|refactor|hint)\]?(?:\(\w+\))?(?::|\s)/,
    // `tool: [warn]`
    /^(?:\S{1,60}: )?\[(?:warn|warning|notice)\]/,
    // apt
    /^W: /,
    // the level after a place
    /[\s:(\]]\[?(?:warning|info|note|notice|style|convention|refactor|hint)(?:\[[^\]]{1,40}\]|\s?\([^)]{1,40}\)|\s[A-Z]{1,10}\d{1,6})?\]?(?::|\)|\s{2,})/,
    // `: W: `, as pylint prints it
    /: [WCRIN]: /,
    // a sign
    /^[\s]{0,8}⚠/,
    // Dart
    /^ *info • /,
    // structured logs
    /level=(?:warn|info)/,
    // codes of pylint and glog
    /\b[WI]\d{4}: /,
    // logs of programs
    /\] (?:INFO|WARN|WARNING|DEBUG) /,
    /\s(?:INF|WRN) /,
    /\tINFO\t/,
    // Dart, with bullets
    / • (?:info|warning) • /,
  ],
  'i',
);

/** A mark of success at the end of the line. */
export const passedEnd = anyOf([
  // `name ... ok`, `name: PASSED (0.1s)`
  /(?:\.{2,}|…|:|\s[-=|]|=>|\s{2,}|' )\s{0,60}\[?(?:ok|passed|PASSED|PASS|Passed|pass|skipped|Skipped|SKIPPED|SKIP|expected failure|xfail|XFAIL|OK|SUCCESS|\*\*\*Skipped|\*\*\*Not Run)\]?(?: in)?(?:\s{1,12}\(?\[?[\d.,]+\s?(?:m?s|sec|seconds|µs)\b\)?\]?)?(?:\s\|)?(?: after .{1,30})?[.)]?\s*$/,
  // `name [OK]`
  /\[(?:✔|✓|OK|ok|PASS)\]$/,
  // `name OK`
  /(?<!not)\s(?:OK|ok)$/,
  // `name ... skipped`
  /\.{3} skipped\b.{0,200}$/,
  // TAP: a failure that does not count
  /(?:# (?:SKIP|TODO)\b)/,
  // a failure that the test expects
  /\bXFAIL\b/,
  // XCTest
  /' passed \([\d.]+ seconds\)/,
  // Swift Testing
  /\bpassed after [\d.]+ seconds/,
  // Jenkins and others
  /: DONE$/,
]);
