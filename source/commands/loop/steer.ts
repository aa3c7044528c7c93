import {formatJson} from '../../documents/index.ts';
import {
  attemptOf,
  isTaskId,
  liveSessionsOf,
  runIdIn,
  runOf,
  sessionOf,
  taskOf,
  type RunId,
  type Session,
  type SessionId,
  type State,
  type TaskId,
  type Wish,
} from '../../domain/index.ts';
import {attach} from '../attach.ts';
import {Impossible} from '../here.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {findTask, readSubject, readTaskId} from './find-subject.ts';
import {withLive} from './with-live.ts';

type Options = {readonly json?: boolean};

/** Lifts a stop, a trouble, a parking; hands back what was taken over. */
export async function resume(
  what: string,
  options: Options & HandBack & {readonly tokens?: string; readonly minutes?: string},
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withLive(surroundings, async (live) => {
    const subject = readSubject(what);
    if (options.tokens !== undefined || options.minutes !== undefined) {
      if (isTaskId(subject)) throw new Impossible('a budget is that of a run: name the run');
      const [tokens, minutes] = [amountOf(options.tokens), amountOf(options.minutes)];
      await live.ask({
        about: 'wish',
        wish: {
          type: 'extend-budget',
          run: subject,
          ...(tokens === undefined ? {} : {tokens}),
          ...(minutes === undefined ? {} : {wallClock: minutes * 60_000}),
        },
      });
      return said(
        options,
        surroundings,
        {what: subject},
        `${subject} has more to spend and goes on`,
      );
    }

    const task = isTaskId(subject) ? taskOf(live.state(), subject) : undefined;
    const isTaken =
      task?.stage.at === 'taken-over' && task.hold === undefined && task.trouble === undefined;
    if (!isTaken && (options.agent === true || options.note !== undefined))
      throw new Impossible(
        `--agent and --note are for a task that you have taken over; ${subject} is ${task === undefined ? 'none' : task.stage.at}`,
      );
    const isPausing =
      task?.stage.at === 'attempting' &&
      attemptOf(task)?.step.at === 'pausing' &&
      task.hold === undefined &&
      task.trouble === undefined;
    const {wish, words} = handBackOf(subject as TaskId, options);
    await live.ask({about: 'wish', wish: isTaken ? wish : {type: 'resume', what: subject}});
    return said(
      options,
      surroundings,
      {what: subject},
      isTaken ? words : isPausing ? `${subject} tries its agent now` : `${subject} goes on`,
    );
  });
}

type HandBack = {readonly agent?: boolean; readonly note?: string};

/** Two ways to give back what was taken over: it is validated as it is, or its agent goes on with it. */
function handBackOf(
  task: TaskId,
  {agent, note}: HandBack,
): {readonly wish: Wish; readonly words: string} {
  if (agent !== true && note !== undefined)
    throw new Impossible('--note is for the agent: add --agent, or leave the note out');
  if (agent !== true)
    return {
      wish: {type: 'hand-back', task},
      words: `${task} is handed back; it is validated as it is`,
    };
  return {
    wish: {type: 'hand-back', task, to: 'agent', ...(note === undefined ? {} : {note})},
    words: `${task} is handed back to its agent, which goes on`,
  };
}

function amountOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const amount = Number(text);
  if (!Number.isFinite(amount) || amount <= 0)
    throw new Impossible(`expected a number above 0, got ${JSON.stringify(text)}`);
  return amount;
}

export async function handBack(
  id: string,
  options: Options & HandBack,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const {wish, words} = handBackOf(readTaskId(id), options);
  return wishFor(wish, words, {task: id}, options, surroundings);
}

/** One more attempt than the law allows. */
export async function grant(
  id: string,
  options: Options & {readonly hint?: string},
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withLive(surroundings, async (live) => {
    const task = readTaskId(id);
    await live.ask({
      about: 'wish',
      wish: {
        type: 'grant-attempt',
        task,
        ...(options.hint === undefined ? {} : {hint: options.hint}),
      },
    });
    const run = runIdIn(task);
    const isWaiting = runOf(live.state(), run)?.stage.at === 'reviewing';
    return said(
      options,
      surroundings,
      {task: id},
      `${id} gets one more attempt${isWaiting ? `, once you have approved the plan again: orchestra plan approve ${run}` : ''}`,
    );
  });
}

export async function reset(
  id: string,
  options: Options,
  surroundings: Surroundings,
): Promise<ExitCode> {
  return wishFor(
    {type: 'reset-task', task: readTaskId(id)},
    `${id} goes on in a fresh context`,
    {task: id},
    options,
    surroundings,
  );
}

export async function note(
  on: string,
  text: string,
  options: Options,
  surroundings: Surroundings,
): Promise<ExitCode> {
  return wishFor({type: 'add-note', on, text}, `noted on ${on}`, {on, text}, options, surroundings);
}

/** The task is in the person's hands, in a session of its worktree; in a terminal that is where they are then. */
export async function takeover(
  id: string,
  options: Options,
  surroundings: Surroundings,
): Promise<ExitCode> {
  let taken: {readonly task: TaskId; readonly session: SessionId} | undefined;
  const code = await withLive(surroundings, async (live) => {
    const task = findTask(live.state(), id);
    await live.ask({about: 'wish', wish: {type: 'take-over', task: task.id}});
    const state = await live.until((known) => {
      const now = taskOf(known, task.id);
      if (now?.stage.at !== 'taken-over' || now.trouble !== undefined) return true;
      return (
        now.stage.session !== undefined &&
        sessionOf(known, now.stage.session)?.life.at === 'running'
      );
    });
    const now = taskOf(state, task.id);
    const session = now?.stage.at === 'taken-over' ? now.stage.session : undefined;
    if (session === undefined)
      throw new Impossible(`${id} could not be taken over. See: orchestra needs`);
    taken = {task: task.id, session};
    return said(
      options,
      surroundings,
      {task: id, session},
      `${id} is yours in ${session}. When you are done: orchestra resume ${id} has it checked as it is; orchestra resume ${id} --agent lets its agent go on`,
    );
  });
  return code === 0 &&
    taken !== undefined &&
    surroundings.keyboard !== undefined &&
    options.json !== true
    ? attachTaken(taken, surroundings)
    : code;
}

/** An agent that has not the conversation says so and ends: the person is where it begins anew. */
async function attachTaken(
  taken: {readonly task: TaskId; readonly session: SessionId},
  surroundings: Surroundings,
): Promise<ExitCode> {
  const attached = await attach(taken.session, surroundings).catch((error: unknown) => {
    if (error instanceof Impossible) return error;
    throw error;
  });
  const instead = attached === 0 ? undefined : await sessionInstead(taken, surroundings);
  if (instead !== undefined) return attach(instead, surroundings);
  if (attached instanceof Impossible) throw attached;
  return attached;
}

async function sessionInstead(
  {task, session: ended}: {readonly task: TaskId; readonly session: SessionId},
  surroundings: Surroundings,
): Promise<SessionId | undefined> {
  let instead: SessionId | undefined;
  await withLive(surroundings, async (live) => {
    // That it was lost is told before its end is.
    const before = await live.until((known) => liveSessionsOf(known).every(({id}) => id !== ended));
    if (sessionOf(before, ended)?.lostConversation !== true) return 0;
    const handOf = (known: State): Session | undefined => {
      const stage = taskOf(known, task)?.stage;
      return stage?.at === 'taken-over' && stage.session !== undefined && stage.session !== ended
        ? sessionOf(known, stage.session)
        : undefined;
    };
    const after = await live.until(
      (known) =>
        taskOf(known, task)?.stage.at !== 'taken-over' ||
        taskOf(known, task)?.trouble !== undefined ||
        handOf(known)?.life.at === 'running',
    );
    instead = handOf(after)?.id;
    return 0;
  });
  return instead;
}

/** Nothing of it is merged any more; what it did is kept. */
export async function discard(
  what: string,
  options: Options,
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withLive(surroundings, async (live) => {
    const subject = readSubject(what);
    await live.ask({about: 'wish', wish: {type: 'discard', what: subject}});
    const run = subject.split('.', 1)[0] as RunId;
    const isGone = (): boolean => {
      const found = runOf(live.state(), run);
      const own = found?.worktrees.filter(({owner}) => owner === subject || subject === run) ?? [];
      return (
        own.length === 0 ||
        found?.trouble !== undefined ||
        found?.tasks.some(
          ({id, trouble}) => (id === subject || subject === run) && trouble !== undefined,
        ) === true
      );
    };
    await live.until(isGone);
    const {kept} = (await live.ask({about: 'kept', of: subject})) as {
      readonly kept: readonly {
        readonly owner: string;
        readonly ref: string | null;
        readonly words: readonly string[];
      }[];
    };
    const words = kept
      .flatMap(({owner, words: how}) => how.map((line) => `  ${owner}: ${line}\n`))
      .join('');
    return said(
      options,
      surroundings,
      {what: subject, kept},
      `${subject} is discarded${words === '' ? '' : '. What it did is kept:'}`,
      words,
    );
  });
}

async function wishFor(
  wish: Wish,
  words: string,
  data: object,
  options: Options,
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withLive(surroundings, async (live) => {
    await live.ask({about: 'wish', wish});
    return said(options, surroundings, data, words);
  });
}

function said(
  options: Options,
  {out}: Surroundings,
  data: object,
  words: string,
  more = '',
): ExitCode {
  out(options.json === true ? formatJson(data) : `${words}\n${more}`);
  return 0;
}
