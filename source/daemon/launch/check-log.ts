import {errorText, toPlainOutput} from '../../shared/index.ts';
import {type Attempt, selectCheckSession, type Session, type Task} from '../../domain/index.ts';
import {writeFileAtomic} from '../../files/index.ts';
import {redact} from '../../secrets/index.ts';
import type {
  DaemonDirectory,
  DaemonLog,
  SecretValues,
  SessionFiles,
  StateReader,
} from '../daemon-context.ts';
import {type OutputLimits, readOutputEnds} from '../sessions/output-ends.ts';
import {getExchange} from './exchange.ts';

const copyLimits: OutputLimits = {headBytes: 1024 * 1024, tailBytes: 1024 * 1024};

/**
 * Copies the output of the check that failed before this attempt to where the agent can read it:
 * the sandbox hides the logs of sessions. The copy is plain text without secrets, and has both ends
 * of a long output. Returns its path; undefined if there is no such output, or no space for it.
 */
export function copyCheckLog(
  context: StateReader & SessionFiles & DaemonDirectory & SecretValues & DaemonLog,
  task: Task,
  {repairs}: Pick<Attempt, 'repairs'>,
  {id}: Session,
): string | undefined {
  const failed =
    repairs?.kind === 'check' ? selectCheckSession(context.state(), task, repairs) : undefined;
  if (failed === undefined) return undefined;
  const {checkLog, below} = getExchange(context, id);
  try {
    const {text} = readOutputEnds(context, failed, copyLimits);
    // The escape sequences go first: they could split a secret.
    const plain = redact(toPlainOutput(text).replaceAll('\r', ''), context.secrets());
    if (plain.trim() === '') return undefined;
    writeFileAtomic(checkLog, plain, {below});
    return checkLog;
  } catch (error) {
    // The prompt has the first failure in any case.
    context.log(`${id}: the output of ${failed} could not be copied: ${errorText(error)}`);
    return undefined;
  }
}
