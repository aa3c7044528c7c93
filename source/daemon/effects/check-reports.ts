import path from 'node:path';
import {lstatSync} from 'node:fs';
import type {Project, SessionId} from '../../domain/index.ts';
import {fileFingerprint, readRegularFile} from '../../files/index.ts';
import type {SessionFiles, StateReader} from '../daemon-context.ts';
import {findFiles} from './find-files.ts';

/** A report that a check has written. */
export type CheckReportFile = {readonly path: string; readonly text: string};

export type CheckReportFiles = {
  /** The project declares them for this check. */
  readonly isDeclared: boolean;
  /** Written by this run of the check, the oldest first. */
  readonly files: readonly CheckReportFile[];
  /** Declared reports that were not read, and why: `junit.xml is from before this check`. */
  readonly ignored: readonly string[];
};

/**
 * Records which reports exist before the check starts, so that one that it does not write is not
 * taken for its own.
 */
export function noteReports(
  {store, state}: StateReader & SessionFiles,
  session: SessionId,
  check: string,
  directory: string,
): void {
  const {paths, isCut} = findFiles(directory, selectGlobs(state().project, check).globs);
  store.writeNote(session, 'reports', {
    isCut,
    files: Object.fromEntries(
      paths.map((name) => [name, fileFingerprint(path.join(directory, name))]),
    ),
  });
}

/**
 * Reads the reports that a check has written: files inside its worktree, no links, of bounded size,
 * changed since the check started. The check runs what an agent wrote, so they may be anything.
 * Never throws.
 */
export function readReports(
  {store, state}: StateReader & SessionFiles,
  session: SessionId,
  check: string,
  directory: string,
): CheckReportFiles {
  const {globs, isDeclared} = selectGlobs(state().project, check);
  const {paths} = findFiles(directory, globs);
  const isFresh = createFreshnessTest(store, session);
  const ignored: string[] = [];
  const found = paths.flatMap((name) => {
    const file = path.join(directory, name);
    const writtenAt = isFresh(name, file);
    if (writtenAt !== undefined) return [{name, file, writtenAt}];
    ignored.push(`${name} is from before this check`);
    return [];
  });
  let left = maxTotalBytes;
  const files: CheckReportFile[] = [];
  for (const {name, file} of found.toSorted((a, b) => a.writtenAt - b.writtenAt)) {
    const reading = readRegularFile(file, {
      maxBytes: Math.min(maxReportBytes, left),
      below: directory,
    });
    if (reading.at === 'refused') ignored.push(`${name} ${reading.message}`);
    else {
      left -= reading.bytes.length;
      files.push({path: name, text: reading.bytes.toString('utf8')});
    }
  }

  if (isDeclared && paths.length === 0) ignored.push(`${globs.join(', ')} was not written`);
  return {isDeclared, files, ignored: isDeclared ? ignored : []};
}

const maxReportBytes = 16 * 1024 * 1024;
const maxTotalBytes = 32 * 1024 * 1024;

/** Where well-known tools write their reports when nobody tells them otherwise. */
const usualReports: readonly string[] = [
  'junit.xml',
  'junit-report.xml',
  'test-results.xml',
  'test-report.xml',
  'test-results/*.xml',
  'test-reports/*.xml',
  'reports/junit.xml',
  'reports/junit/*.xml',
  'target/surefire-reports/*.xml',
  'target/failsafe-reports/*.xml',
  '*/target/surefire-reports/*.xml',
  '*/target/failsafe-reports/*.xml',
  'build/test-results/**/*.xml',
  '*/build/test-results/**/*.xml',
  'target/nextest/*/junit.xml',
  'TestResults/*.trx',
  '*/TestResults/*.trx',
  '.report.json',
  'results.sarif',
];

function selectGlobs(
  {checks = []}: Pick<Project, 'checks'>,
  check: string,
): {readonly globs: readonly string[]; readonly isDeclared: boolean} {
  const declared = checks.find(({name}) => name === check)?.report;
  return {globs: declared ?? usualReports, isDeclared: declared !== undefined};
}

/**
 * A report is of this run if it was changed since the note and its time is not before the start.
 * Some file systems count whole seconds; without a note the time alone has to prove it.
 */
function createFreshnessTest(
  store: Pick<SessionFiles['store'], 'noteOf' | 'metaOf'>,
  session: SessionId,
): (name: string, file: string) => number | undefined {
  const {files, isCut} = (store.noteOf(session, 'reports') ?? {}) as {
    readonly files?: Readonly<Record<string, unknown>>;
    readonly isCut?: unknown;
  };
  const before = typeof files === 'object' ? files : undefined;
  const startedAt = store.metaOf(session)?.went?.at;
  const toleranceMs = before !== undefined && isCut !== true ? 2000 : 0;
  return (name, file) => {
    if (startedAt === undefined) return undefined;
    if (
      before !== undefined &&
      Object.hasOwn(before, name) &&
      before[name] === fileFingerprint(file)
    )
      return undefined;
    const writtenAt = readTime(file);
    return writtenAt !== undefined && writtenAt >= startedAt - toleranceMs ? writtenAt : undefined;
  };
}

function readTime(file: string): number | undefined {
  try {
    return lstatSync(file, {throwIfNoEntry: false})?.mtimeMs;
  } catch {
    return undefined;
  }
}
