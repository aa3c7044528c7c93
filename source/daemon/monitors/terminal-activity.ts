import type {Session, SessionId} from '../../domain/index.ts';
import {readEnd} from '../../keeper/index.ts';
import {type Process, readSwitches, rereadProcesses} from '../../system/index.ts';
import type {DaemonClock, KernelAccess, SessionFiles} from '../daemon-context.ts';
import {isAtRest} from '../tools/shell/shell-call.ts';

/** What a session's terminal was like at a check. */
export type TerminalActivity = {
  /**
   * Changes when a process of the terminal starts, ends or runs, when something is printed, and
   * after some silence. Silence adds nothing to a proof.
   */
  readonly sign: string;
  /** The processes of the terminal. */
  readonly processes: readonly Process[];
};

type ActivityContext = SessionFiles & DaemonClock & Pick<KernelAccess, 'kernel'>;

/** This much silence counts as a change of activity. */
const silenceMs = 3500;

/** Undefined where the kernel does not tell. */
export function readTerminalActivity(
  {store, now, kernel}: ActivityContext,
  {id, waiting}: Session,
  all: readonly Process[],
): TerminalActivity | undefined {
  const {end, writtenAt = 0} = readEnd(store.directoryOf(id));
  const child = store.metaOf(id)?.child;
  const terminal = all.find(({identity}) => identity.pid === child?.pid)?.terminal;
  const processes = all.filter(
    (process) => terminal !== undefined && process.terminal === terminal,
  );
  const signs = processes.map(({identity: {pid}, state}) => ({
    pid,
    state,
    switches: readSwitches(pid, kernel),
  }));
  if (signs.length === 0 || signs.some(({switches}) => switches === undefined)) return undefined;
  const isSilent = waiting?.proof !== 'proven' && now() - writtenAt > silenceMs;
  return {sign: JSON.stringify([end, isSilent, signs]), processes};
}

/**
 * Whether every terminal is as it was at the last check. Reads only the processes that were in them
 * then: a terminal gets another process only from one of its own, and that one has to run for it.
 * The whole process table is a hundred times as much to read.
 */
export async function areTerminalsUnchanged(
  context: ActivityContext,
  sessions: readonly Session[],
  seen: ReadonlyMap<SessionId, TerminalActivity>,
): Promise<boolean> {
  const at = context.kernel.now();
  const isResting = (session: Session): boolean => isAtRest(context, session, at);
  // This has to be reported.
  if (sessions.some((session) => session.waiting !== undefined && isResting(session))) return false;
  const active = sessions.filter((session) => !isResting(session));
  if (active.length === 0) return true;
  const known = active.flatMap(({id}) => seen.get(id) ?? []);
  if (known.length < active.length) return false;
  const {processes} = await rereadProcesses(
    known.flatMap((activity) => activity.processes),
    context.kernel,
  );
  return active.every(
    (session) =>
      readTerminalActivity(context, session, processes)?.sign === seen.get(session.id)?.sign,
  );
}
