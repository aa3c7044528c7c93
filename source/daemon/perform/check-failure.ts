import {readFailedItems, readFirstFailure} from '../../documents/index.ts';
import type {CheckResult, SessionId} from '../../domain/index.ts';
import type {Workshop} from '../workshop.ts';
import {readOutput} from './read-output.ts';

const maxLogBytes = 4 * 1024 * 1024;

/** The first failure, and what failed by name where the report tells. */
export function failureOf(
  workshop: Workshop,
  session: SessionId,
  root: string,
  outcome: CheckResult['outcome'],
): Pick<CheckResult, 'firstFailure' | 'failures'> {
  if (outcome === 'passed') return {};
  const log = readOutput(workshop, session, maxLogBytes);
  const failures = outcome === 'failed' ? readFailedItems(log, {root}) : undefined;
  return {
    firstFailure: readFirstFailure(log, {root}).text,
    ...(failures === undefined ? {} : {failures}),
  };
}
