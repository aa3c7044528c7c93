import {anyOf} from './line-patterns.ts';

/** Consequences: what wraps a command says that the command failed. */
export const wrapper = startingWith(
  /^(?:##\[error\]|::error::|error:? |\[?error\]?:? |ERROR:? |❌ |\W{0,4})?/,
  [
    // package managers
    /npm (?:error|ERR!)/,
    /(?:error )?Command failed/,
    /ELIFECYCLE/,
    / ?ERR_PNPM/,
    /error Command/,
    // make and ninja
    /g?make(?:\[\d+\])?: (?:\*\*\*|Target)/,
    /\S{1,200}:\d{1,6}: \*\*\* /,
    /ninja: build stopped/,
    // CI services
    /Process completed/,
    /Job failed/,
    /Finished: FAILURE/,
    // builds
    /BUILD FAIL/,
    /Build FAILED/,
    /FAILED: Build did/,
    /Target \/\/\S+ failed/,
    /Execution failed for task/,
    // a command of another runner
    /the following (?:test |build )?command (?:failed|exited)/,
    /[\w@./-]{1,80}(?: [\w:-]{1,40})? exited with (?:code|status)/,
    /Recipe `/,
    /task: Failed to run/,
    /Command exited/,
    /Script .{1,60} (?:failed|returned)/,
    // compilers and linkers
    /could not compile/,
    /aborting due to/,
    /compilation (?:failed|terminated|aborted)/,
    /collect2: /,
    // monorepo runners
    /Lerna/,
    /lerna (?:ERR|info|notice)/,
    /Tasks:/,
    /Failed:\s{2}/,
    // an exit code
    /Exit (?:status|code)/,
    /Error: Process/,
    // cargo and zig
    /error: Test failed/,
    /error: test (?:run )?failed/,
    /error: fatalError/,
    // GitHub job names
    /\(?Test \/ test\)/,
    // tox
    /\w+: FAIL code \d/,
    // Nix, nginx, Apache and CMake
    /evaluation failed/,
    /configuration file \S+ test failed/,
    /.{0,30}Configuring incomplete/,
    /nginx: configuration file/,
    // formatters
    /Error occurred when checking code style/,
    // Flutter
    /Test failed\. See exception/,
  ],
  'i',
);

/** Verdicts and advice at the end of a run: they name no failure. */
export const verdict = startingWith(
  /^\W{0,100}/,
  [
    // the result of a run
    /test result:/,
    /result: /,
    /looks like you failed/,
    /failed \d+\/\d+/,
    /(?:all|some) (?:tests|checks|errors)\b/,
    /TEST RUN FAILED/,
    /test run (?:with|failed)/,
    /Tests? (?:failed|run failed|suite \S+ failed)\W{0,5}$/,
    /Some (?:tests|errors)/,
    /Failed!? +- Failed:/,
    /Errors while running/,
    /Tests unsuccessful/,
    /TEST FAILED\W{0,5}$/,
    /one error found/,
    /oh no!/,
    /build failed/,
    /Your code has been rated/,
    /x? ?Build failed in/,
    /checkstyle ends/,
    /Assertion failed\. Exiting/,
    /Code style issues/,
    /Process /,
    // a verdict alone on its line
    /(?:OK|FAIL|FAILED|FAILURE|Failed|FAIL!|Failed!|ERROR|ERRORS|Error|x)\W{0,60}$/,
    /FAILED \(\w+=/,
    /FAIL! --/,
    // the heading of a list
    /(?:FAILURES|ERRORS|WARNINGS)!/,
    /summary\b/,
    /short test summary/,
    /The following tests/,
    // suites
    /Test Suite '/,
    /Test suite \S+: FAIL/,
    // counts
    /(?:\S{1,60} )?(?:found|detected) \d+/,
    /\d+ Failures?/,
    /\d+ (?:passed|failed)/,
    /\[? ?FAIL \d+ \|/,
    /Synthesis: /,
    /TOTAL: /,
    // advice
    /to rerun/,
    /To (?:see|run|fix|show|ignore|reproduce)\b/,
    /hint:/,
    /note:/,
    /help:/,
    /For more/,
    /See /,
    /Learn/,
    /More info/,
    /Nothing to/,
    /Randomized with/,
    // summaries of checkers
    /ERROR SUMMARY:/,
    /SUMMARY: /,
    /HEAP SUMMARY/,
  ],
  'i',
);

/** One expression for a line with a common beginning that goes on with any of the patterns. */
function startingWith(start: RegExp, patterns: readonly RegExp[], flags: string): RegExp {
  return new RegExp(`${start.source}(?:${anyOf(patterns).source})`, flags);
}
