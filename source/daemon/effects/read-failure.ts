import {
  parseFailedItems,
  parseFirstFailure,
  parseCheckReport,
  type CheckReport,
  toFailedNames,
  toFirstFailure,
} from '../../failures/index.ts';
import {redactValues} from '../../secrets/index.ts';
import {pluralize, sanitizeText} from '../../shared/index.ts';
import type {CheckResult, SessionId} from '../../domain/index.ts';
import type {SecretValues, SessionFiles, StateReader} from '../daemon-context.ts';
import {type OutputLimits, readOutputEnds} from '../sessions/output-ends.ts';
import {type CheckReportFiles, readReports} from './check-reports.ts';

/** A failure is read from both ends of a log: 8 MiB take less than two seconds. */
export const failureLimits: OutputLimits = {
  headBytes: 4 * 1024 * 1024,
  tailBytes: 4 * 1024 * 1024,
};

export type FailureParts = Pick<CheckResult, 'firstFailure' | 'failures' | 'confidence' | 'source'>;

/** What is read about a failed check: its session, its name, its worktree. */
export type FailedCheck = {
  readonly session: SessionId;
  readonly check: string;
  readonly directory: string;
};

/**
 * The first failure, and the names of all failures if report or output have them. A report that the
 * check wrote counts before its output. Secrets are removed before anything is cut, so that no part
 * of one remains.
 */
export function readFailure(
  context: StateReader & SessionFiles & SecretValues,
  {session, check, directory: root}: FailedCheck,
  outcome: CheckResult['outcome'],
): FailureParts {
  if (outcome === 'passed') return {};
  const secrets = context.secrets();
  const {text, omitted} = readOutputEnds(context, session, failureLimits);
  const log = redactValues(text, secrets);
  // What a check wrote before it was ended or without its program says little.
  const reports =
    outcome === 'failed'
      ? parseReports(readReports(context, session, check, root), secrets)
      : undefined;
  const names =
    outcome === 'failed'
      ? (reports?.names(root) ?? (omitted > 0 ? undefined : parseFailedItems(log, {root})))
      : undefined;
  const failures = names === undefined ? {} : {failures: names};
  const source = [
    ...(reports?.notes ?? []),
    ...(omitted > 0 && reports?.first === undefined
      ? ['the middle of the log was too long to read']
      : []),
  ];
  const found =
    reports?.first === undefined
      ? parseFirstFailure(log, {root})
      : toFirstFailure(reports.first, {root});
  return {
    firstFailure: found.text,
    confidence: found.confidence,
    ...(source.length === 0
      ? {}
      : {source: sanitizeText(source.join('; ').replaceAll(/\s+/g, ' ')).slice(0, maxSource)}),
    ...failures,
  };
}

const maxSource = 500;
const maxNotes = 3;

type ParsedReports = {
  readonly first: CheckReport['failures'][number] | undefined;
  readonly names: (root: string) => readonly string[] | undefined;
  readonly notes: readonly string[];
};

/** A report without a failure loses to the log, because the check failed. */
function parseReports(
  {files, ignored, isDeclared}: CheckReportFiles,
  secrets: readonly string[],
): ParsedReports {
  const parsed = files.map(({path, text}) => ({
    path,
    report: parseCheckReport(redactValues(text, secrets)),
  }));
  const known = parsed.flatMap(({path, report}) => (report === undefined ? [] : [{path, report}]));
  const red = known.find(({report}) => report.failures.length > 0);
  const unknown = parsed.filter(({report}) => report === undefined);
  // A report that was found by its usual name may belong to another tool; that is not worth a word.
  const notes = [
    ...(red === undefined ? [] : [`from the report ${red.path}`]),
    ...(red === undefined && known.length > 0
      ? [
          `from the log: ${known[0]?.path ?? ''}${known.length > 1 ? ` and ${pluralize(known.length - 1, 'other report')}` : ''} shows no failure, but the check failed`,
        ]
      : []),
    ...(isDeclared
      ? [
          ...unknown.map(({path}) => `${path} is not a report that orchestra can read`),
          ...ignored,
        ].slice(0, maxNotes)
      : []),
  ];
  return {
    first: red?.report.failures[0],
    names: (root) =>
      isDeclared && red !== undefined && unknown.length === 0 && ignored.length === 0
        ? toFailedNames(
            known.map(({report}) => report),
            {root},
          )
        : undefined,
    notes,
  };
}
