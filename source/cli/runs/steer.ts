import {formatJson} from '../../reports/index.ts';
import {
  isTaskId,
  type Run,
  type RunId,
  runIdIn,
  selectAttempt,
  selectLiveSessions,
  selectRun,
  selectSession,
  selectTask,
  type Session,
  type SessionId,
  type State,
  type TaskId,
  type UserCommand,
} from '../../domain/index.ts';
import {attach} from '../attach.ts';
import {isUsageError, UsageError} from '../repo-paths.ts';
import type {CliContext, ExitCode} from '../cli-context.ts';
import {findTask, parseSubject, parseTaskId} from './find-subject.ts';
import {withLive} from '../with-daemon.ts';

type Options = {readonly json?: boolean};

/** Resumes what was stopped, failed or paused; hands back a takeover. */
export async function resume(
  what: string,
  options: Options & HandBack & {readonly tokens?: string; readonly minutes?: string},
  cli: CliContext,
): Promise<ExitCode> {
  return withLive(cli, async (live) => {
    const subject = parseSubject(what);
    if (options.tokens !== undefined || options.minutes !== undefined) {
      if (isTaskId(subject))
        throw new UsageError('a budget belongs to a run: expected a run such as r1');
      const [tokens, minutes] = [parseAmount(options.tokens), parseAmount(options.minutes)];
      await live.ask({
        about: 'wish',
        wish: {
          type: 'extend-budget',
          run: subject,
          ...(tokens === undefined ? {} : {tokens}),
          ...(minutes === undefined ? {} : {wallClock: minutes * 60_000}),
        },
      });
      return printResult(
        options,
        cli,
        {what: subject},
        `${subject} has a larger budget and continues`,
      );
    }

    const task = isTaskId(subject) ? selectTask(live.state(), subject) : undefined;
    const isTaken =
      task?.stage.at === 'taken-over' && task.hold === undefined && task.trouble === undefined;
    if (!isTaken && (options.agent === true || options.note !== undefined))
      throw new UsageError(
        `--agent and --note are for a task that you have taken over; ${subject} is ` +
          (task === undefined ? 'none' : task.stage.at),
      );
    const isPausing =
      task?.stage.at === 'attempting' &&
      selectAttempt(task)?.step.at === 'pausing' &&
      task.hold === undefined &&
      task.trouble === undefined;
    const {wish, words} = toHandBack(subject as TaskId, options);
    await live.ask({about: 'wish', wish: isTaken ? wish : {type: 'resume', what: subject}});
    const resumed = isPausing ? `${subject} tries its agent now` : `${subject} continues`;
    return printResult(options, cli, {what: subject}, isTaken ? words : resumed);
  });
}

type HandBack = {readonly agent?: boolean; readonly note?: string};

/** Two ways to hand back a takeover: validate it as it is, or let its agent continue. */
function toHandBack(
  task: TaskId,
  {agent, note}: HandBack,
): {readonly wish: UserCommand; readonly words: string} {
  if (agent !== true && note !== undefined)
    throw new UsageError('--note is for the agent: add --agent, or leave the note out');
  if (agent !== true)
    return {
      wish: {type: 'hand-back', task},
      words: `${task} is handed back; its checks run`,
    };
  return {
    wish: {type: 'hand-back', task, to: 'agent', ...(note === undefined ? {} : {note})},
    words: `${task} is handed back to its agent, which continues`,
  };
}

function parseAmount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const amount = Number(text);
  if (!Number.isFinite(amount) || amount <= 0)
    throw new UsageError(`expected a number above 0, got ${JSON.stringify(text)}`);
  return amount;
}

export async function handBack(
  id: string,
  options: Options & HandBack,
  cli: CliContext,
): Promise<ExitCode> {
  const {wish, words} = toHandBack(parseTaskId(id), options);
  return submitCommand(wish, words, {task: id}, options, cli);
}

/** Of several variants, those that have not ended and are not green yet. */
function selectCheckable(run: Run | undefined): TaskId[] {
  const open = run?.tasks.filter(({stage}) => stage.at !== 'discarded') ?? [];
  const left = open.filter(({stage}) => stage.at === 'attempting' || stage.at === 'taken-over');
  return (open.length === 1 || left.length === 0 ? open : left).map(({id}) => id);
}

/** Checks a task now; a run that was opened without a plan stands for its task or its variants. */
export async function check(what: string, options: Options, cli: CliContext): Promise<ExitCode> {
  return withLive(cli, async (live) => {
    const subject = parseSubject(what);
    const run = selectRun(live.state(), runIdIn(subject));
    const tasks = isTaskId(subject) ? [subject] : selectCheckable(run);
    const [task] = tasks;
    if (task === undefined || (tasks.length > 1 && run?.request.open === undefined))
      throw new UsageError(
        `expected a task, or a run with one task; ${what} has ${tasks.length}: name one, such ` +
          `as ${runIdIn(subject)}.t1`,
      );
    for (const one of tasks) await live.ask({about: 'wish', wish: {type: 'check-task', task: one}});
    return printResult(
      options,
      cli,
      {task, ...(tasks.length > 1 ? {tasks} : {})},
      `the checks of ${tasks.join(', ')} run`,
    );
  });
}

/** Grants one attempt more than the rules allow. */
export async function grant(
  id: string,
  options: Options & {readonly hint?: string},
  cli: CliContext,
): Promise<ExitCode> {
  return withLive(cli, async (live) => {
    const task = parseTaskId(id);
    await live.ask({
      about: 'wish',
      wish: {
        type: 'grant-attempt',
        task,
        ...(options.hint === undefined ? {} : {hint: options.hint}),
      },
    });
    const run = runIdIn(task);
    const isWaiting = selectRun(live.state(), run)?.stage.at === 'reviewing';
    return printResult(
      options,
      cli,
      {task: id},
      `${id} gets one more ` +
        `try${isWaiting ? `, once you have approved the plan again: orchestra plan approve ${run}` : ''}`,
    );
  });
}

export async function reset(id: string, options: Options, cli: CliContext): Promise<ExitCode> {
  return submitCommand(
    {type: 'reset-task', task: parseTaskId(id)},
    `${id} restarts with a fresh context`,
    {task: id},
    options,
    cli,
  );
}

export async function note(
  on: string,
  text: string,
  options: Options,
  cli: CliContext,
): Promise<ExitCode> {
  return submitCommand({type: 'add-note', on, text}, `noted on ${on}`, {on, text}, options, cli);
}

/** Takes a task over in a session of its worktree, and attaches the terminal to it. */
export async function takeover(id: string, options: Options, cli: CliContext): Promise<ExitCode> {
  let taken: {readonly task: TaskId; readonly session: SessionId} | undefined;
  const code = await withLive(cli, async (live) => {
    const task = findTask(live.state(), id);
    await live.ask({about: 'wish', wish: {type: 'take-over', task: task.id}});
    const state = await live.until((known) => {
      const now = selectTask(known, task.id);
      if (now?.stage.at !== 'taken-over' || now.trouble !== undefined) return true;
      return (
        now.stage.session !== undefined &&
        selectSession(known, now.stage.session)?.life.at === 'running'
      );
    });
    const now = selectTask(state, task.id);
    const session = now?.stage.at === 'taken-over' ? now.stage.session : undefined;
    if (session === undefined)
      throw new UsageError(`${id} could not be taken over. See: orchestra needs`);
    taken = {task: task.id, session};
    return printResult(
      options,
      cli,
      {task: id, session},
      `${id} is yours in ${session}. When you are done, run its checks: orchestra resume ` +
        `${id}. Or let its agent continue: orchestra resume ${id} --agent`,
    );
  });
  return code === 0 && taken !== undefined && cli.keyboard !== undefined && options.json !== true
    ? attachTaken(taken, cli)
    : code;
}

/**
 * If the agent no longer has the conversation it exits; the terminal is then attached to its new
 * session.
 */
async function attachTaken(
  taken: {readonly task: TaskId; readonly session: SessionId},
  cli: CliContext,
): Promise<ExitCode> {
  const attached = await attach(taken.session, cli).catch((error: unknown) => {
    if (isUsageError(error)) return error;
    throw error;
  });
  const instead = attached === 0 ? undefined : await sessionInstead(taken, cli);
  if (instead !== undefined) return attach(instead, cli);
  if (isUsageError(attached)) throw attached;
  return attached;
}

async function sessionInstead(
  {task, session: ended}: {readonly task: TaskId; readonly session: SessionId},
  cli: CliContext,
): Promise<SessionId | undefined> {
  let instead: SessionId | undefined;
  await withLive(cli, async (live) => {
    // The loss is reported before the end.
    const before = await live.until((known) =>
      selectLiveSessions(known).every(({id}) => id !== ended),
    );
    if (selectSession(before, ended)?.lostConversation !== true) return 0;
    const handSession = (known: State): Session | undefined => {
      const stage = selectTask(known, task)?.stage;
      return stage?.at === 'taken-over' && stage.session !== undefined && stage.session !== ended
        ? selectSession(known, stage.session)
        : undefined;
    };
    const after = await live.until(
      (known) =>
        selectTask(known, task)?.stage.at !== 'taken-over' ||
        selectTask(known, task)?.trouble !== undefined ||
        handSession(known)?.life.at === 'running',
    );
    instead = handSession(after)?.id;
    return 0;
  });
  return instead;
}

/** Abandons a run or task; a backup of its work is kept. */
export async function discard(what: string, options: Options, cli: CliContext): Promise<ExitCode> {
  return withLive(cli, async (live) => {
    const subject = parseSubject(what);
    await live.ask({about: 'wish', wish: {type: 'discard', what: subject}});
    const run = subject.split('.', 1)[0] as RunId;
    const isGone = (): boolean => {
      const found = selectRun(live.state(), run);
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
    const text = kept
      .flatMap(({owner, words: how}) => how.map((line) => `  ${owner}: ${line}\n`))
      .join('');
    return printResult(
      options,
      cli,
      {what: subject, kept},
      `${subject} is discarded${text === '' ? '' : '. Its work is kept:'}`,
      text,
    );
  });
}

async function submitCommand(
  command: UserCommand,
  text: string,
  data: object,
  options: Options,
  cli: CliContext,
): Promise<ExitCode> {
  return withLive(cli, async (live) => {
    await live.ask({about: 'wish', wish: command});
    return printResult(options, cli, data, text);
  });
}

function printResult(
  options: Options,
  {out}: CliContext,
  data: object,
  text: string,
  more = '',
): ExitCode {
  out(options.json === true ? formatJson(data) : `${text}\n${more}`);
  return 0;
}
