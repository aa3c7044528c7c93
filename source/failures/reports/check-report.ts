import type {CodePlace} from '../failure-match.ts';

/** One failure of a report. */
export type ReportFailure = {
  readonly tool: string;
  /** Name of the failing test; of a linter, the rule. */
  readonly test?: string;
  /** The assertion or the error. */
  readonly message: string;
  /** The stack and what else the report has about it. */
  readonly details?: string;
  /** Where the report itself says that it failed. */
  readonly place?: CodePlace;
  /** The place is where the test begins, which says less than a frame of its stack. */
  readonly isTestPlace?: boolean;
};

/** A structured report of a test runner or a linter. */
export type CheckReport = {
  /** At most `maxReportFailures`, in the order of the report. */
  readonly failures: readonly ReportFailure[];
  /** How many failures it has. */
  readonly failed: number;
  /** It was read to its end, so that nothing is missing. */
  readonly isWhole: boolean;
};

/** More are only counted. */
export const maxReportFailures = 300;

/** Collects failures up to the limit, and counts all. */
export type FailureCollector = {
  readonly add: (failure: ReportFailure) => void;
  readonly toReport: (isWhole: boolean) => CheckReport;
};

export function createFailureCollector(): FailureCollector {
  const failures: ReportFailure[] = [];
  let failed = 0;
  return {
    add: (failure) => {
      failed += 1;
      if (failures.length < maxReportFailures) failures.push(failure);
    },
    toReport: (isWhole) => ({failures, failed, isWhole}),
  };
}

/** A diagnostic of a linter or a compiler. */
export type Diagnostic = ReportFailure & {readonly isError: boolean};

/**
 * The errors; without one, the warnings: a check that fails on warnings has nothing else to report.
 */
export function toDiagnosticReport(
  diagnostics: Iterable<Diagnostic>,
  isWhole: boolean,
): CheckReport {
  const errors = createFailureCollector();
  const warnings = createFailureCollector();
  for (const {isError, ...failure} of diagnostics) (isError ? errors : warnings).add(failure);
  const found = errors.toReport(isWhole);
  return found.failed > 0 ? found : warnings.toReport(isWhole);
}
