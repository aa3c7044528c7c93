import path from 'node:path';
import process from 'node:process';
import {type AgentOutcome, type AgentStream, type Driver, type StreamState, drivers, emptyStream, foldStream, outcomeOfStream, readStreamLine, usageOf} from '../agents/index.ts';
import {without} from '../base/index.ts';
import {readReport} from '../documents/index.ts';
import {createKeeping} from './create-keeping.ts';
import {createPrinter} from './create-printer.ts';
import {endingLine} from './ending-line.ts';
import {exitCodeOf} from './exit-code-of.ts';
import {readEarlierUsage} from './read-earlier-usage.ts';
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
  /** Colours, unless NO_COLOR says otherwise. @default false */
  readonly color?: boolean;
};

/** Runs an agent and gives the exit code: its own; 1 if it says success and its stream does not; 128 and the signal if one ended it; 2 if it could not be started. */
export async function runAgent(run: AgentRun): Promise<number> {
  const driver = drivers.find(({name}) => name === run.agent);
  removeOutcome(run.outcomeFile);
  const printer = createPrinter({out: run.out, color: run.color === true && (run.env['NO_COLOR'] ?? '') === '', directory: run.directory});
  const refuse = (words: string): number => {
    printer.say(words, 'bad');
    leave(run, {at: 'failed', words}, printer.say);
    return 2;
  };

  if (driver?.stream === undefined) return refuse(`expected the name of an agent with a stream, got ${run.agent}. There are: ${drivers.flatMap(({name, stream}) => (stream === undefined ? [] : [name])).join(', ')}.`);
  const prompt = readPrompt(run.promptFile, run.promptFrom ?? 0);
  if ('refused' in prompt) return refuse(prompt.refused);
  const {before, state, ended} = await follow(run, driver, driver.stream, prompt.text, printer);
  if (ended.fault !== undefined) return refuse(`${driver.name} could not be started: ${ended.fault}`);

  const outcome = withReport(run, state, outcomeOfStream(state, {
    agent: driver.name, account: driver.account ?? '', code: ended.code, now: run.now(),
    ...(ended.signal !== undefined && {signal: ended.signal}),
    ...(ended.lastWords !== undefined && {lastWords: ended.lastWords, hasLateWords: ended.hasLateWords === true}),
    ...(before !== undefined && {before}),
  }));
  printer.end(endingLine(driver.name, outcome, state), outcome.at === 'finished' ? 'dim' : 'bad');
  leave(run, outcome, printer.say);
  return exitCodeOf(ended, outcome);
}

type Followed = {readonly state: StreamState; readonly ended: Ended; readonly before: ReturnType<typeof readEarlierUsage>};

async function follow(run: AgentRun, driver: Driver, stream: AgentStream, prompt: string, printer: ReturnType<typeof createPrinter>): Promise<Followed> {
  const before = stream.earlier === undefined || run.conversation === undefined ? undefined : readEarlierUsage(stream.earlier, run.conversation, run.env);
  const keeping = createKeeping(path.join(path.dirname(run.outcomeFile), 'stream.jsonl'));
  let state = emptyStream;
  try {
    const ended = await startAgent({
      argv: run.argv, directory: run.directory, env: run.env, prompt, process,
      onLine: (line) => {
        const {events, isProgress} = readStreamLine(stream, line);
        if (!isProgress) keeping.keep(line);
        for (const event of events) {
          state = foldStream(state, event);
          printer.show(event);
          if (event.type === 'session' || event.type === 'usage') note(run, state, before);
        }
      },
      onError: (line) => {
        printer.show({type: 'notice', text: line});
      },
    });
    return {state, ended, before};
  } finally {
    const fault = keeping.close();
    if (fault !== undefined) printer.say(`The stream of ${driver.name} was not kept whole: ${fault}`, 'dim');
  }
}

/** Should we be killed, the conversation can still go on, and what it cost is known: the end of the run replaces this. */
function note({agent, outcomeFile}: AgentRun, state: StreamState, before: Followed['before']): void {
  const usage = usageOf(state, before);
  const {conversation} = state;
  if (conversation !== undefined) writeOutcome(outcomeFile, {at: 'interrupted', words: `${agent} was ended before it could say more.`, conversation, ...(usage !== undefined && {usage})});
}

/** A worker reports in its answer; one that says that it cannot has given up, whatever its exit code. */
function withReport({mode}: AgentRun, {answer}: StreamState, outcome: AgentOutcome): AgentOutcome {
  if (mode === 'plan' || outcome.at !== 'finished') return outcome;
  const {gaveUp, rootCause, decisions, rejected} = readReport(answer).value;
  if (gaveUp !== undefined) return {...without(outcome, 'report'), at: 'gave-up', words: gaveUp};
  if (rootCause === undefined && decisions.length + rejected.length === 0) return outcome;
  return {...outcome, report: {...(rootCause !== undefined && {rootCause}), decisions, rejected}};
}

function leave({outcomeFile}: AgentRun, outcome: AgentOutcome, say: (text: string, tone: 'dim' | 'bad') => void): void {
  const fault = writeOutcome(outcomeFile, outcome);
  if (fault !== undefined) say(`The outcome could not be written: ${fault}`, 'bad');
}
