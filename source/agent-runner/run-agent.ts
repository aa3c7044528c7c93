import path from 'node:path';
import process from 'node:process';
import {readRegularFile, tryRemoveFile, tryWriteFile} from '../files/index.ts';
import {
  activityFileName,
  type AgentOutcome,
  type AgentStream,
  type Driver,
  drivers,
  emptyStream,
  outcomeOfStream,
  selectUsage,
  type StreamState,
} from '../agents/index.ts';
import {type Environment, without} from '../shared/index.ts';
import {parseReport} from '../prompts/index.ts';
import type {Usage} from '../domain/index.ts';
import {createPrinter, type Printer} from './create-printer.ts';
import {formatEnding, toAgentExitCode} from './outcome.ts';
import {followStream} from './follow-stream.ts';
import {type AgentExit, startAgent} from './start-agent.ts';

export type AgentRun = {
  /** The name of one of the built-in drivers that has a stream. */
  readonly agent: string;
  readonly mode: 'plan' | 'work';
  /** The agent's program and arguments; never passed through a shell. */
  readonly argv: readonly string[];
  readonly directory: string;
  readonly promptFile: string;
  /**
   * Offset in the prompt of what the agent reads; the text before it is in its arguments. @default
   * 0
   */
  readonly promptFrom?: number;
  /** Path of the outcome file. The raw stream is saved as `stream.jsonl` next to it. */
  readonly outcomeFile: string;
  /** The conversation to resume. */
  readonly conversation?: string;
  readonly env: Environment;
  /** Writes to standard output, unbuffered. */
  readonly out: (text: string) => void;
  readonly now: () => number;
  /**
   * How many tokens this start may use; it is stopped when its stream reports as many. @default no
   * limit
   */
  readonly tokenLimit?: number;
  /** Use colours, unless NO_COLOR is set. @default false */
  readonly color?: boolean;
};

/**
 * Runs an agent and returns the exit code: its own; 1 if it exits with 0 but its stream shows no
 * success; 128 plus the signal number; 2 if it could not be started.
 */
export async function runAgent(run: AgentRun): Promise<number> {
  const driver = drivers.find(({name}) => name === run.agent);
  // Files of an earlier start say nothing about this one.
  tryRemoveFile(run.outcomeFile);
  tryRemoveFile(path.join(path.dirname(run.outcomeFile), activityFileName));
  const printer = createPrinter({
    out: run.out,
    color: run.color === true && (run.env['NO_COLOR'] ?? '') === '',
    directory: run.directory,
  });
  const reject = (text: string): number => {
    printer.print(text, 'bad');
    saveOutcome(run, {at: 'failed', words: text}, printer.print);
    return 2;
  };

  if (driver?.stream === undefined)
    return reject(
      `expected the name of an agent with a stream, got ${run.agent}. There are: ` +
        `${drivers.flatMap(({name, stream}) => (stream === undefined ? [] : [name])).join(', ')}.`,
    );
  const prompt = readPrompt(run.promptFile, run.promptFrom ?? 0);
  if ('rejected' in prompt) return reject(prompt.rejected);
  const {before, state, ended, used} = await follow(
    run,
    driver,
    driver.stream,
    prompt.text,
    printer,
  );
  if (ended.fault !== undefined)
    return reject(`${driver.name} could not be started: ${ended.fault}`);
  if (used !== undefined) return endStopped(run, used, state, before, printer);

  const outcome = withReport(
    run,
    state,
    outcomeOfStream(state, {
      agent: driver.name,
      account: driver.account ?? '',
      code: ended.code,
      now: run.now(),
      ...(ended.signal !== undefined && {signal: ended.signal}),
      ...(ended.lastText !== undefined && {
        lastText: ended.lastText,
        hasTrailingText: ended.hasTrailingText === true,
      }),
      ...(before !== undefined && {before}),
    }),
  );
  printer.end(formatEnding(driver.name, outcome, state), outcome.at === 'finished' ? 'dim' : 'bad');
  saveOutcome(run, outcome, printer.print);
  return toAgentExitCode(ended, outcome);
}

/** The outcome of an agent that was stopped at its token limit. The daemon decides what follows. */
function endStopped(
  run: AgentRun,
  used: number,
  state: StreamState,
  before: Usage | undefined,
  printer: Printer,
): number {
  const usage = selectUsage(state, before);
  const outcome: AgentOutcome = {
    at: 'failed',
    words: `${run.agent} was stopped: it has used ${used} tokens, and ${run.tokenLimit ?? 0} were left.`,
    ...(usage !== undefined && {usage}),
    ...(state.conversation !== undefined && {conversation: state.conversation}),
  };
  printer.end(formatEnding(run.agent, outcome, state), 'bad');
  saveOutcome(run, outcome, printer.print);
  return 1;
}

type Followed = {
  readonly state: StreamState;
  readonly ended: AgentExit;
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
  // An older version rejects the option and ends without any record.
  const isRejected =
    optional !== undefined &&
    run.argv.includes(optional) &&
    first.state === emptyStream &&
    first.ended.code !== 0 &&
    (first.ended.lastText ?? '').includes(optional);
  if (!isRejected) return first;
  printer.print(
    `This ${driver.name} does not support ${optional}; orchestra starts it without.`,
    'dim',
  );
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
      saveInterim(run, state, before);
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
      printer.print(`The stream of ${driver.name} was not saved completely: ${fault}`, 'dim');
  }
}

/**
 * Written while the agent runs, so that conversation and usage are known if this process is killed.
 * The final outcome replaces it.
 */
function saveInterim(
  {agent, outcomeFile}: AgentRun,
  state: StreamState,
  before: Followed['before'],
): void {
  const usage = selectUsage(state, before);
  const {conversation} = state;
  if (conversation === undefined) return;
  writeOutcome(outcomeFile, {
    at: 'interrupted',
    words: `${agent} was stopped before it finished its output.`,
    conversation,
    ...(usage !== undefined && {usage}),
  });
}

/**
 * Adds the report in a worker's answer. A report that the agent gave up counts, whatever the exit
 * code.
 */
function withReport({mode}: AgentRun, {answer}: StreamState, outcome: AgentOutcome): AgentOutcome {
  if (mode === 'plan' || outcome.at !== 'finished') return outcome;
  const {gaveUp, rootCause, decisions, rejected} = parseReport(answer).value;
  if (gaveUp !== undefined) return {...without(outcome, 'report'), at: 'gave-up', words: gaveUp};
  if (rootCause === undefined && decisions.length + rejected.length === 0) return outcome;
  return {...outcome, report: {...(rootCause !== undefined && {rootCause}), decisions, rejected}};
}

function saveOutcome(
  {outcomeFile}: AgentRun,
  outcome: AgentOutcome,
  print: (text: string, tone: 'dim' | 'bad') => void,
): void {
  const fault = writeOutcome(outcomeFile, outcome);
  if (fault !== undefined) print(`The outcome could not be written: ${fault}`, 'bad');
}

function writeOutcome(file: string, outcome: AgentOutcome): string | undefined {
  return tryWriteFile(file, `${JSON.stringify(outcome)}\n`);
}

const maxPromptBytes = 16 * 1024 * 1024;

export function readPrompt(
  file: string,
  from: number,
): {readonly text: string} | {readonly rejected: string} {
  const reading = readRegularFile(file, {maxBytes: maxPromptBytes});
  if (reading.at === 'refused')
    return {rejected: `the prompt ${file} could not be read: it ${reading.message}`};
  const text = reading.bytes.toString('utf8').slice(from);
  return text.trim() === '' ? {rejected: `expected a prompt in ${file}, got nothing.`} : {text};
}
