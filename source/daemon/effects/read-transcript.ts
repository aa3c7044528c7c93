import path from 'node:path';
import type {Driver} from '../../agents/index.ts';
import {
  noUsage,
  type Run,
  runIdOfSession,
  selectRun,
  selectSession,
  selectWorktreeOwner,
  type Session,
  taskIdOfSession,
  type Usage,
} from '../../domain/index.ts';
import {tryReadText, walkTree} from '../../files/index.ts';
import type {DaemonDirectory, RunVariables, StateReader, UserAccount} from '../daemon-context.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import {ownStatePath} from '../launch/agent-state.ts';
import {selectDriver} from '../launch/agent-launch.ts';

type TranscriptContext = StateReader &
  DaemonDirectory &
  Pick<RunVariables, 'env'> &
  Pick<UserAccount, 'home'>;

const maxRecordBytes = 64 * 1024 * 1024;
const walk = {maxEntries: 5000, maxDepth: 6};

/**
 * Reports the tokens of an agent in its own interface, from the agent's own record of the
 * conversation. What earlier sessions of the same conversation used is not counted again. Nothing
 * is reported where there is no record: the usage is then unknown.
 */
export async function reportTranscript(
  context: TranscriptContext,
  run: Run,
  session: Session,
  report: Parameters<EffectHandler>[1],
): Promise<void> {
  const total = readRecordedUsage(context, run, session);
  if (total === undefined) return;
  const before = usageBefore(context, session);
  const usage: Usage = {
    input: Math.max(0, total.input - before.input),
    output: Math.max(0, total.output - before.output),
    ...(total.cost === undefined ? {} : {cost: Math.max(0, total.cost - (before.cost ?? 0))}),
  };
  await report({type: 'usage-counted', session: session.id, usage}, false);
}

function readRecordedUsage(
  context: TranscriptContext,
  run: Run,
  session: Session,
): Usage | undefined {
  const driver = selectDriver(context, run, {for: 'attempt'});
  const transcript = driver.interactive?.transcript;
  const {conversation} = session;
  if (transcript === undefined || conversation === undefined) return undefined;
  for (const directory of listDirectories(context, driver, session)) {
    const record = walkTree(directory, walk).find(
      ({name, kind}) => kind === 'file' && transcript.isRecordOf(name, conversation),
    );
    const text =
      record === undefined
        ? undefined
        : tryReadText(path.join(directory, record.name), {
            maxBytes: maxRecordBytes,
            below: directory,
          });
    if (text !== undefined) return transcript.parse(text).usage;
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

/** What earlier sessions of the task used in the same conversation. */
function usageBefore({state}: StateReader, session: Session): Usage {
  const known = state();
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
      noUsage,
    );
}
