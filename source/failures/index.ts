/**
 * Finds the first failure in the output of a check: name, assertion, place.
 * Not here: running checks.
 */
export {toPlainLines} from './log-lines.ts';
export {parseFailedItems} from './parse-failed-items.ts';
export {type FailureDetails, parseFailureText} from './parse-failure-text.ts';
export {
  type FirstFailure,
  type FirstFailureOptions,
  parseFirstFailure,
} from './parse-first-failure.ts';
export {parseCheckReport, toFailedNames, toFirstFailure} from './reports/parse-check-report.ts';
export {type CheckReport} from './reports/check-report.ts';
