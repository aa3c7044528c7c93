import path from 'node:path';
import process from 'node:process';
import {
  type AgentOutcome,
  type AgentStream,
  type Driver,
  type StreamState,
  activityFileName,
  drivers,
  emptyStream,
  outcomeOfStream,
  usageOf,
} from '../agents/index.ts';
import {without} from '../base/index.ts';
import {readReport} from '../documents/index.ts';
import type {Usage} from '../domain/index.ts';
import {createPrinter, type Printer} from './create-printer.ts';
import {endingLine} from './ending-line.ts';
import {exitCodeOf} from './exit-code-of.ts';
import {followStream} from './follow-stream.ts';
import {readPrompt} from './read-prompt.ts';
import {type Ended, startAgent} from './start-agent.ts';
import {removeOutcome, writeOutcome} from './write-outcome.ts';

export type AgentRun = {
  /** The name of one of the built-in drivers that has a stream. */
  readonly agent: string;
  readonly mode: 'plan' | 'work';
  /** The agent's program and arguments; never for a shell. */
  readonly argv: readonly string[];
  readonly directory: string;
  readonly promptFile: string;
  /** Where in the prompt begins what the agent reads; what is before that went in by its arguments. @default 0 */
  readonly promptFrom?: number;
  /** Where the outcome is left. `stream.jsonl` beside it has the stream as it came. */
  readonly outcomeFile: string;
  /** The conversation that goes on. */
  readonly conversation?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard output, at once. */
  readonly out: (text: string) => void;
  readonly now: () => number;
  /** What this start may use: it is stopped as soon as its stream tells that it has. @default without end */
  readonly tokenLimit?: number;
  /** Colours, unless NO_COLOR says otherwise. @default false */
  readonly color?: boolean;
};

/** Runs an agent and gives the exit code: its own; 1 if it says success and its stream does not; 128 and the signal if one ended it; 2 if it could not be started. */
export async function runAgent(run: AgentRun): Promise<number> {
  const driver = drivers.find(({name}) => name === run.agent);
  removeOutcome(run.outcomeFile);
  removeOutcome(path.join(path.dirname(run.outcomeFile), activityFileName));
  const printer = createPrinter({
    out: run.out,
    color: run.color === true && (run.env['NO_COLOR'] ?? '') === '',
    directory: run.directory,
  });
  const refuse = (words: string): number => {
    printer.say(words, 'bad');
    leave(run, {at: 'failed', words}, printer.say);
    return 2;
  };

  if (driver?.stream === undefined)
    return refuse(
      `expected the name of an agent with a stream, got ${run.agent}. There are: ${drivers.flatMap(({name, stream}) => (stream === undefined ? [] : [name])).join(', ')}.`,
    );
  const prompt = readPrompt(run.promptFile, run.promptFrom ?? 0);
  if ('refused' in prompt) return refuse(prompt.refused);
  const {before, state, ended, used} = await follow(
    run,
    driver,
    driver.stream,
    prompt.text,
    printer,
  );
  if (ended.fault !== undefined)
    return refuse(`${driver.name} could not be started: ${ended.fault}`);
  if (used !== undefined) return leaveStopped(run, used, state, before, printer);

  const outcome = withReport(
    run,
    state,
    outcomeOfStream(state, {
      agent: driver.name,
      account: driver.account ?? '',
      code: ended.code,
      now: run.now(),
      ...(ended.signal !== undefined && {signal: ended.signal}),
      ...(ended.lastWords !== undefined && {
        lastWords: ended.lastWords,
        hasLateWords: ended.hasLateWords === true,
      }),
      ...(before !== undefined && {before}),
    }),
  );
  printer.end(endingLine(driver.name, outcome, state), outcome.at === 'finished' ? 'dim' : 'bad');
  leave(run, outcome, printer.say);
  return exitCodeOf(ended, outcome);
}

/** Stopped because of what it used. What follows is for whoever set the limit to say. */
function leaveStopped(
  run: AgentRun,
  used: number,
  state: StreamState,
  before: Usage | undefined,
  printer: Printer,
): number {
  const usage = usageOf(state, before);
  const outcome: AgentOutcome = {
    at: 'failed',
    words: `${run.agent} was stopped: it has used ${used} tokens, and ${run.tokenLimit ?? 0} were left.`,
    ...(usage !== undefined && {usage}),
    ...(state.conversation !== undefined && {conversation: state.conversation}),
  };
  printer.end(endingLine(run.agent, outcome, state), 'bad');
  leave(run, outcome, printer.say);
  return 1;
}

type Followed = {
  readonly state: StreamState;
  readonly ended: Ended;
  readonly before: Usage | undefined;
  readonly used?: number;
};

async function follow(
  run: AgentRun,
  driver: Driver,
  stream: AgentStream,
  prompt: string,
  printer: Printer,
): Promise<Followed> {
  const first = await followOnce(run, driver, stream, prompt, printer);
  const {optional} = stream;
  // An older version does not know it, and ends before it has said anything.
  const isRefused =
    optional !== undefined &&
    run.argv.includes(optional) &&
    first.state === emptyStream &&
    first.ended.code !== 0 &&
    (first.ended.lastWords ?? '').includes(optional);
  if (!isRefused) return first;
  printer.say(`This ${driver.name} does not know ${optional}; it is started without.`, 'dim');
  return followOnce(
    {...run, argv: run.argv.filter((argument) => argument !== optional)},
    driver,
    stream,
    prompt,
    printer,
  );
}

async function followOnce(
  run: AgentRun,
  driver: Driver,
  stream: AgentStream,
  prompt: string,
  printer: Printer,
): Promise<Followed> {
  const stopping = new AbortController();
  let used: number | undefined;
  const following = followStream({
    stream,
    printer,
    directory: run.directory,
    outcomeFile: run.outcomeFile,
    conversation: run.conversation,
    env: run.env,
    now: run.now,
    tokenLimit: run.tokenLimit,
    onNote: (state, before) => {
      note(run, state, before);
    },
    onLimit: (tokens) => {
      used = tokens;
      stopping.abort();
    },
  });
  try {
    const ended = await startAgent({
      argv: run.argv,
      directory: run.directory,
      env: run.env,
      prompt,
      process,
      onLine: following.onLine,
      onError: following.onError,
      stop: stopping.signal,
    });
    return {
      state: following.state(),
      ended,
      before: following.before,
      ...(used !== undefined && {used}),
    };
  } finally {
    const fault = following.close();
    if (fault !== undefined)
      printer.say(`The stream of ${driver.name} was not kept whole: ${fault}`, 'dim');
  }
}

/** Should we be killed, the conversation can still go on, and what it cost is known: the end of the run replaces this. */
function note(
  {agent, outcomeFile}: AgentRun,
  state: StreamState,
  before: Followed['before'],
): void {
  const usage = usageOf(state, before);
  const {conversation} = state;
  if (conversation !== undefined)
    writeOutcome(outcomeFile, {
      at: 'interrupted',
      words: `${agent} was ended before it could say more.`,
      conversation,
      ...(usage !== undefined && {usage}),
    });
}

/** A worker reports in its answer; one that says that it cannot has given up, whatever its exit code. */
function withReport({mode}: AgentRun, {answer}: StreamState, outcome: AgentOutcome): AgentOutcome {
  if (mode === 'plan' || outcome.at !== 'finished') return outcome;
  const {gaveUp, rootCause, decisions, rejected} = readReport(answer).value;
  if (gaveUp !== undefined) return {...without(outcome, 'report'), at: 'gave-up', words: gaveUp};
  if (rootCause === undefined && decisions.length + rejected.length === 0) return outcome;
  return {...outcome, report: {...(rootCause !== undefined && {rootCause}), decisions, rejected}};
}

function leave(
  {outcomeFile}: AgentRun,
  outcome: AgentOutcome,
  say: (text: string, tone: 'dim' | 'bad') => void,
): void {
  const fault = writeOutcome(outcomeFile, outcome);
  if (fault !== undefined) say(`The outcome could not be written: ${fault}`, 'bad');
}
