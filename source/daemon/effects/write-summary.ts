import path from 'node:path';
import {createHash} from 'node:crypto';
import {toPlainOutput} from '../../shared/index.ts';
import {parseReport} from '../../prompts/index.ts';
import {redact} from '../../secrets/index.ts';
import {summaryOfRun, summaryOfTask, toSummaryFileName} from '../../reports/index.ts';
import {
  type AgentReport,
  type Run,
  selectRun,
  selectSession,
  selectTask,
  type Session,
  type Task,
  taskIdOfSession,
} from '../../domain/index.ts';
import {readRegularFile, writeFileAtomic} from '../../files/index.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import {selectSessionDriver} from '../launch/agent-launch.ts';
import {getExchange, readOutcomeText} from '../launch/exchange.ts';
import {knowledgeDirectory} from '../launch/prompt-context.ts';
import {readHandedReport} from '../tools/reporting-tools.ts';
import type {
  DaemonDirectory,
  JournalReader,
  RepositoryAccess,
  SecretValues,
  SessionFiles,
  StateReader,
} from '../daemon-context.ts';
import {readOutput} from '../sessions/session-screen.ts';
import {selectCheckout} from './task-place.ts';

const maxBytes = 256 * 1024;

/** Writes a summary for later tasks: one for each ending of a task and one for the run. */
export function writeSummary(
  context: StateReader &
    JournalReader &
    SessionFiles &
    RepositoryAccess &
    DaemonDirectory &
    SecretValues,
): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'write-summary') return;
    const state = context.state();
    const run = selectRun(state, effect.run);
    const task = effect.task === undefined ? undefined : selectTask(state, effect.task);
    if (run === undefined) throw new Error(`there is no run ${effect.run}`);
    const secrets = context.secrets();
    const events = context.eventsOf(run.id);
    const date = new Date(task === undefined ? run.createdAt : (selectEnd(task) ?? run.createdAt))
      .toISOString()
      .slice(0, 10);
    const source = {state, run, events, date, redact: (text: string) => redact(text, secrets)};
    const text =
      task === undefined
        ? summaryOfRun(source)
        : summaryOfTask({...source, task, report: readReport(context, run, task)});
    const checkout = selectCheckout(context, run);
    const file = findFreeName(
      checkout,
      path.join(
        knowledgeDirectory,
        toSummaryFileName({date, run: run.id, ...(task === undefined ? {} : {task: task.id})}),
      ),
      text,
    );
    writeFileAtomic(path.join(checkout, file), text, {
      mode: 0o644,
      below: checkout,
      isDurable: true,
    });
    await report({
      type: 'summary-written',
      run: run.id,
      endings: effect.endings,
      path: file,
      hash: createHash('sha256').update(text).digest('hex'),
      ...(task === undefined ? {} : {task: task.id}),
    });
  };
}

function selectEnd({stage}: Task): number | undefined {
  return 'since' in stage ? stage.since : undefined;
}

/** The agent's own text is used for root cause and decisions only. */
function readReport(
  context: StateReader & SessionFiles & DaemonDirectory & SecretValues,
  run: Run,
  task: Task,
): AgentReport {
  const state = context.state();
  const own = run.sessions
    .flatMap((id) => selectSession(state, id) ?? [])
    .filter((session) => session.purpose.for === 'attempt' && taskIdOfSession(session) === task.id);
  const last = own.at(-1);
  if (last === undefined) return {};
  return own
    .map(({id}) => readHandedReport(context, id))
    .reduce(mergeReports, readPrintedReport(context, last));
}

/** The later report wins where both say something about the same thing. */
function mergeReports(before: AgentReport, later: AgentReport): AgentReport {
  const rootCause = later.rootCause ?? before.rootCause;
  return {
    ...(rootCause === undefined ? {} : {rootCause}),
    decisions: [...new Set([...(before.decisions ?? []), ...(later.decisions ?? [])])],
    rejected: [
      ...new Map(
        [...(before.rejected ?? []), ...(later.rejected ?? [])].map((one) => [
          one.alternative,
          one,
        ]),
      ).values(),
    ],
  };
}

function readPrintedReport(
  context: StateReader & SessionFiles & DaemonDirectory & SecretValues,
  last: Session,
): AgentReport {
  const output = toPlainOutput(readOutput(context, last.id, maxBytes));
  const outcomeText = readOutcomeText(getExchange(context, last.id));
  const outcome = selectSessionDriver(context, last).driver.readOutcome({
    code: 0,
    output,
    ...(outcomeText === undefined ? {} : {outcome: outcomeText}),
  });
  if (outcome.at === 'finished' && outcome.report !== undefined) return outcome.report;
  const {rootCause, decisions, rejected} = parseReport(output, context.secrets()).value;
  return {...(rootCause === undefined ? {} : {rootCause}), decisions, rejected};
}

/**
 * Never overwrites another text: an earlier ending of the same day, or a person's edit. The same
 * text was written before a crash.
 */
function findFreeName(checkout: string, file: string, text: string): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? file : file.replace(/\.md$/, `-${count}.md`);
    const reading = readRegularFile(path.join(checkout, name), {
      maxBytes,
      below: checkout,
    });
    const isFree =
      reading.at === 'read' ? reading.bytes.toString('utf8') === text : reading.why === 'missing';
    if (isFree) return name;
    if (count === maxNames)
      throw new Error(
        `${path.join(checkout, file)} cannot be written: it and ${maxNames - 1} more ` +
          `names for it are taken, and ${name} ` +
          `${reading.at === 'read' ? 'has a different text' : reading.message}. Remove ` +
          'what is there',
      );
  }
}

const maxNames = 1000;
