import path from 'node:path';
import {readRegularFile, tryRemoveFile, tryWriteFile} from '../files/index.ts';
import {
  activityFileName,
  type AgentOutcome,
  drivers,
  outcomeOfStream,
  selectUsage,
  type StreamState,
} from '../agents/index.ts';
import {without} from '../shared/index.ts';
import {parseReport} from '../prompts/index.ts';
import {addUsage, noUsage, type Usage} from '../domain/index.ts';
import type {AgentRun} from './agent-run.ts';
import {createPrinter, type Printer} from './create-printer.ts';
import {formatEnding, toAgentExitCode} from './outcome.ts';
import {type Followed, followAgent} from './follow-agent.ts';

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
  const followed = await followAgent({
    run,
    driver,
    stream: driver.stream,
    prompt: prompt.text,
    printer,
    onNote: (state, before, spent) => {
      saveInterim(run, state, before, spent);
    },
  });
  const {before, state, ended, used, spent} = followed;
  if (ended.fault !== undefined)
    return reject(`${driver.name} could not be started: ${ended.fault}`);
  if (used !== undefined) return endStopped(run, used, followed, printer);

  const outcome = withReport(
    run,
    state,
    withSpent(
      spent,
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
    ),
  );
  printer.end(formatEnding(driver.name, outcome, state), outcome.at === 'finished' ? 'dim' : 'bad');
  saveOutcome(run, outcome, printer.print);
  return toAgentExitCode(ended, outcome);
}

/** The outcome of an agent that was stopped at its token limit. The daemon decides what follows. */
function endStopped(
  run: AgentRun,
  used: number,
  {state, before, spent}: Followed,
  printer: Printer,
): number {
  const usage = addSpent(selectUsage(state, before), spent);
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

/**
 * Written while the agent runs, so that conversation and usage are known if this process is killed.
 * The final outcome replaces it.
 */
function saveInterim(
  {agent, outcomeFile}: AgentRun,
  state: StreamState,
  before: Usage | undefined,
  spent: Usage | undefined,
): void {
  const usage = addSpent(selectUsage(state, before), spent);
  const {conversation} = state;
  if (conversation === undefined) return;
  writeOutcome(outcomeFile, {
    at: 'interrupted',
    words: `${agent} was stopped before it finished its output.`,
    conversation,
    ...(usage !== undefined && {usage}),
  });
}

function addSpent(usage: Usage | undefined, spent: Usage | undefined): Usage | undefined {
  return usage === undefined ? spent : addUsage(usage, spent ?? noUsage);
}

/** The usage of a session is that of all its starts. */
function withSpent(spent: Usage | undefined, outcome: AgentOutcome): AgentOutcome {
  const usage = addSpent(outcome.usage, spent);
  return usage === undefined ? outcome : {...outcome, usage};
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
