import process from 'node:process';
import {
  type AgentStream,
  type Driver,
  emptyStream,
  formatInboxMessage,
  type InboxMessage,
  selectUsage,
  type StreamState,
} from '../agents/index.ts';
import {addUsage, noUsage, type Usage} from '../domain/index.ts';
import type {AgentRun} from './agent-run.ts';
import {createChannel} from './create-channel.ts';
import {createInbox, type Inbox} from './create-inbox.ts';
import type {Printer} from './create-printer.ts';
import {followStream} from './follow-stream.ts';
import {type AgentExit, startAgent} from './start-agent.ts';

export type Followed = {
  readonly state: StreamState;
  readonly ended: AgentExit;
  readonly before: Usage | undefined;
  /** The tokens that it had used when it was stopped at its limit. */
  readonly used?: number;
  /** The usage of earlier starts, which a message of the person ended. */
  readonly spent?: Usage;
};

export type FollowAgentOptions = {
  readonly run: AgentRun;
  readonly driver: Driver;
  readonly stream: AgentStream;
  readonly prompt: string;
  readonly printer: Printer;
  /** Called when the conversation id or the usage has changed. */
  readonly onNote: (state: StreamState, before: Usage | undefined, spent?: Usage) => void;
};

/** One start of the agent, with the message that it is started for. */
type Start = FollowAgentOptions & {
  readonly inbox: Inbox;
  readonly message?: InboxMessage;
  readonly spent?: Usage;
};

/** `message` is begun: the agent was ended, or has ended, and gets it with its next start. */
type Ended = Followed & {readonly message?: InboxMessage};

/**
 * Runs the agent until it is done. A message of the person goes to it through its channel. Without
 * one, or when it has ended its turn, it is started again in the same conversation with the message
 * as its prompt.
 */
export async function followAgent(options: FollowAgentOptions): Promise<Followed> {
  const inbox = createInbox(options.run.inbox);
  let {run} = options;
  let last = await followFirst({...options, inbox}, (changed) => {
    run = changed;
  });
  while (last.message !== undefined) {
    const {message, state} = last;
    const conversation = state.conversation ?? '';
    const spent = addUsage(selectUsage(state, last.before) ?? noUsage, last.spent ?? noUsage);
    last = await followOnce({
      ...options,
      inbox,
      message,
      spent,
      run: {
        ...run,
        argv: options.driver.resumeArgv?.(run.argv, conversation) ?? run.argv,
        conversation,
      },
      prompt: formatInboxMessage(message.text),
    });
  }

  return last;
}

/**
 * An older version rejects an option and ends without any record; it is started without. Without
 * those of its channel, a message restarts it.
 */
async function followFirst(start: Start, onRun: (run: AgentRun) => void): Promise<Ended> {
  const {run, driver, stream, printer} = start;
  const ended = await followOnce(start);
  const optional = [
    stream.optional === undefined ? [] : [stream.optional],
    driver.channel?.options ?? [],
  ].find(
    (options) => isSubset(options, run.argv) && options.some((option) => isRejected(ended, option)),
  );
  if (optional === undefined) return ended;
  printer.print(
    `This ${driver.name} does not support ${optional.join(' ')}; orchestra starts it without.`,
    'dim',
  );
  const plain = {...run, argv: run.argv.filter((argument) => !optional.includes(argument))};
  onRun(plain);
  return followFirst({...start, run: plain}, onRun);
}

function isSubset(options: readonly string[], argv: readonly string[]): boolean {
  return options.length > 0 && options.every((option) => argv.includes(option));
}

function isRejected({state, ended}: Ended, option: string): boolean {
  const [name = option] = option.split('=', 1);
  return state === emptyStream && ended.code !== 0 && (ended.lastText ?? '').includes(name);
}

async function followOnce(start: Start): Promise<Ended> {
  const {run, driver, stream, printer, inbox, spent, onNote} = start;
  const stopping = new AbortController();
  let used: number | undefined;
  let next: InboxMessage | undefined;
  /** The message of this start has not reached the agent yet. */
  let arriving = start.message;
  const channel =
    driver.channel !== undefined && isSubset(driver.channel.options, run.argv)
      ? createChannel({channel: driver.channel, prompt: start.prompt, inbox, printer})
      : undefined;
  const following = followStream({
    stream,
    printer,
    directory: run.directory,
    outcomeFile: run.outcomeFile,
    conversation: run.conversation,
    spent,
    env: run.env,
    now: run.now,
    tokenLimit: run.tokenLimit,
    onNote: (state, before) => {
      onNote(state, before, spent);
    },
    onEvent: (event) => {
      channel?.onEvent(event);
    },
    onLimit: (tokens) => {
      used = tokens;
      stopping.abort();
    },
  });
  const canRestart = (): boolean =>
    driver.resumeArgv !== undefined && following.state().conversation !== undefined;
  const take = (): InboxMessage | undefined => {
    const message = inbox.next();
    return message !== undefined && inbox.begin(message.number) ? message : undefined;
  };

  const onMail = (): void => {
    if (stopping.signal.aborted || next !== undefined) return;
    if (channel !== undefined) {
      channel.onMail();
      return;
    }

    if (arriving === undefined && canRestart()) {
      next = take();
      if (next !== undefined) stopping.abort();
    }
  };

  const unwatch = inbox.watch(onMail);
  if (arriving !== undefined) printer.print(`Message from you: ${arriving.text}`, 'dim');
  try {
    const ended = await startAgent({
      argv: run.argv,
      directory: run.directory,
      env: run.env,
      input: channel === undefined ? start.prompt : channel.open,
      process,
      onLine: (line) => {
        following.onLine(line);
        if (arriving !== undefined && following.state().hasBegun) {
          inbox.finish(arriving.number, 'restart');
          arriving = undefined;
        }
      },
      onError: following.onError,
      stop: stopping.signal,
    });
    const state = following.state();
    // It ended by itself before it could be asked to: the message is the next turn.
    if (
      next === undefined &&
      used === undefined &&
      ended.isPassed !== true &&
      ended.code === 0 &&
      state.isDone &&
      canRestart()
    )
      next = take();
    if (next !== undefined && ended.isPassed === true) {
      inbox.finish(next.number, 'none');
      next = undefined;
    }

    return {
      state,
      ended,
      before: following.before,
      ...(used !== undefined && {used}),
      ...(spent !== undefined && {spent}),
      ...(next !== undefined && {message: next}),
    };
  } finally {
    unwatch();
    channel?.close();
    const fault = following.close();
    if (fault !== undefined)
      printer.print(`The stream of ${driver.name} was not saved completely: ${fault}`, 'dim');
  }
}
