import {selectInteractiveWorker, type TaskId} from '../../domain/index.ts';
import {tryReadText} from '../../files/index.ts';
import type {SessionId} from '../../domain/index.ts';
import type {DaemonDirectory, SessionFiles, StateReader} from '../daemon-context.ts';
import {getExchange} from '../launch/exchange.ts';
import {findScreenAgent} from './session-screen.ts';

const maxSignalsBytes = 8 * 1024 * 1024;

/** Whole lines only. The agent can write this file, so it is trusted no more than its outcome. */
export function readSignalLines(
  context: SessionFiles & DaemonDirectory,
  id: SessionId,
): readonly string[] {
  const {signals, below} = getExchange(context, id);
  const text = tryReadText(signals, {maxBytes: maxSignalsBytes, below});
  return text === undefined ? [] : text.split('\n').slice(0, -1);
}

/**
 * The task's agent works in its own interface, also if that is only in its signals and not in the
 * journal yet.
 */
export function isAgentAtWork(
  context: StateReader & SessionFiles & DaemonDirectory,
  task: TaskId,
): boolean {
  const session = selectInteractiveWorker(context.state(), task);
  if (session === undefined) return false;
  if (session.turn?.at === 'open') return true;
  const driver = findScreenAgent(context, session);
  return readSignalLines(context, session.id)
    .slice(session.signals ?? 0)
    .some((line) => driver?.interactive?.parseSignal(line)?.kind === 'turn-began');
}
