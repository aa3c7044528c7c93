import path from 'node:path';
import type {Driver, TranscriptSummary} from '../../agents/index.ts';
import {
  noUsage,
  type Observation,
  runIdOfSession,
  selectRun,
  selectSession,
  selectWorktreeOwner,
  type Session,
  taskIdOfSession,
  type Usage,
} from '../../domain/index.ts';
import type {DaemonDirectory, RunVariables, StateReader, UserAccount} from '../daemon-context.ts';
import {pauseFor} from '../engine/pacing.ts';
import {findRecord, readAdoptedUsage} from '../launch/agent-record.ts';
import {agentStateDirectory, ownStatePath} from '../launch/agent-state.ts';
import {selectSessionDriver} from '../launch/agent-launch.ts';

type TranscriptContext = StateReader &
  DaemonDirectory &
  Pick<RunVariables, 'env'> &
  Pick<UserAccount, 'home'>;

const settling = {stillMs: 300, maxMs: 3000};

/**
 * Reports the tokens of an agent in its own interface, from the agent's own record of the
 * conversation, and returns what else the record says. What earlier sessions of the same
 * conversation used is not counted again. Nothing is reported where there is no record: the usage
 * is then unknown.
 */
export async function reportTranscript(
  context: TranscriptContext,
  session: Session,
  report: (saw: Observation, isNamed?: boolean) => Promise<unknown>,
): Promise<TranscriptSummary> {
  const summary = await readSettledRecord(context, session);
  const total = summary.usage;
  if (total === undefined) return summary;
  const usage = usageOfSession(context, session, total);
  await report({type: 'usage-counted', session: session.id, usage}, false);
  return summary;
}

/** What of the usage of a whole conversation is this session's. */
export function usageOfSession(
  context: StateReader & DaemonDirectory,
  session: Session,
  total: Usage,
): Usage {
  const before = usageBefore(context, session);
  return {
    input: Math.max(0, total.input - before.input),
    output: Math.max(0, total.output - before.output),
    ...(total.cost === undefined ? {} : {cost: Math.max(0, total.cost - (before.cost ?? 0))}),
  };
}

/**
 * Agents report the end of a turn before they have recorded all of it. One that was killed never
 * records it.
 */
async function readSettledRecord(
  context: TranscriptContext,
  session: Session,
): Promise<TranscriptSummary> {
  const transcript = selectSessionDriver(context, session).driver.interactive?.transcript;
  const enough = AbortSignal.timeout(settling.maxMs);
  let text = readRecord(context, session);
  for (;;) {
    const summary = text === undefined ? {} : (transcript?.parse(text) ?? {});
    if (text === undefined || enough.aborted) return summary;
    await pauseFor(settling.stillMs, enough);
    const next = readRecord(context, session);
    if (next === text && (summary.isOpen !== true || session.life.at !== 'running')) return summary;
    text = next ?? text;
  }
}

function readRecord(context: TranscriptContext, session: Session): string | undefined {
  const {driver} = selectSessionDriver(context, session);
  const transcript = driver.interactive?.transcript;
  const {conversation} = session;
  if (transcript === undefined || conversation === undefined) return undefined;
  for (const directory of listDirectories(context, driver, session)) {
    const record = findRecord(transcript, directory, conversation);
    if (record !== undefined) return record.text;
  }

  return undefined;
}

/** The task's own state first, as it is in the sandbox, then the person's. */
function listDirectories(
  context: TranscriptContext,
  driver: Driver,
  session: Session,
): readonly string[] {
  const {home, env} = context;
  const directory = driver.interactive?.transcript?.directory(home, env);
  const owner = selectWorktreeOwner(session);
  if (directory === undefined || owner === undefined) return [];
  const states = driver.stateDirectories?.(home, env) ?? [];
  const index = states.findIndex(
    (state) => directory === state || directory.startsWith(`${state}/`),
  );
  const state = states[index];
  return state === undefined
    ? [directory]
    : [
        path.join(ownStatePath(context, owner, state, index), path.relative(state, directory)),
        directory,
      ];
}

/**
 * What earlier sessions of the task used in the same conversation, and the person before the task
 * continued it.
 */
function usageBefore(context: StateReader & DaemonDirectory, session: Session): Usage {
  const known = context.state();
  const owner = selectWorktreeOwner(session);
  const {conversation} = session;
  const adopted =
    owner === undefined || conversation === undefined
      ? undefined
      : readAdoptedUsage(agentStateDirectory(context, owner), conversation);
  const id = runIdOfSession(session);
  const ids = (id === undefined ? undefined : selectRun(known, id))?.sessions ?? [];
  return ids
    .slice(0, ids.indexOf(session.id))
    .flatMap((one) => selectSession(known, one) ?? [])
    .filter(
      (other) =>
        taskIdOfSession(other) === taskIdOfSession(session) &&
        other.conversation === session.conversation,
    )
    .reduce<Usage>(
      (sum, {usage}) => ({
        input: sum.input + usage.input,
        output: sum.output + usage.output,
        cost: (sum.cost ?? 0) + (usage.cost ?? 0),
      }),
      adopted ?? noUsage,
    );
}
