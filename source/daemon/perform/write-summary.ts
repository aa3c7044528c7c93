import {createHash} from 'node:crypto';
import path from 'node:path';
import {
  plainOutputOf,
  readReport,
  redact,
  summaryFileNameOf,
  summaryOfRun,
  summaryOfTask,
  type AgentReport,
} from '../../documents/index.ts';
import {
  runOf,
  sessionOf,
  taskIdOfSession,
  taskOf,
  type Run,
  type Session,
  type Task,
} from '../../domain/index.ts';
import {readRegularFile, writeWhole} from '../../files/index.ts';
import type {Perform} from '../conductor.ts';
import {driverFor} from '../launch/agent-launch.ts';
import {exchangeOf, readOutcomeText} from '../launch/exchange.ts';
import {knowledgeDirectory} from '../launch/knowledge.ts';
import {handedReportOf} from '../tools/hand-in-tools.ts';
import type {Workshop} from '../workshop.ts';
import {readOutput} from './read-output.ts';
import {checkoutOf} from './task-of-effect.ts';

const mostBytes = 256 * 1024;

/** For each end that a task came to, and one for the run: what a later task should know. */
export function writeSummary(workshop: Workshop): Perform {
  return async (effect, report) => {
    if (effect.do !== 'write-summary') return;
    const state = workshop.state();
    const run = runOf(state, effect.run);
    const task = effect.task === undefined ? undefined : taskOf(state, effect.task);
    if (run === undefined) throw new Error(`there is no run ${effect.run}`);
    const secrets = workshop.secrets();
    const events = workshop.eventsOf(run.id);
    const date = new Date(task === undefined ? run.createdAt : (endOf(task) ?? run.createdAt))
      .toISOString()
      .slice(0, 10);
    const source = {state, run, events, date, redact: (text: string) => redact(text, secrets)};
    const text =
      task === undefined
        ? summaryOfRun(source)
        : summaryOfTask({...source, task, report: reportOf(workshop, run, task)});
    const checkout = checkoutOf(workshop, run);
    const file = freeName(
      checkout,
      path.join(
        knowledgeDirectory,
        summaryFileNameOf({date, run: run.id, ...(task === undefined ? {} : {task: task.id})}),
      ),
      text,
    );
    writeWhole(path.join(checkout, file), text, {mode: 0o644, below: checkout, isDurable: true});
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

function endOf({stage}: Task): number | undefined {
  return 'since' in stage ? stage.since : undefined;
}

/** The agent's own words are taken for root cause and decisions, and for nothing else. */
function reportOf(workshop: Workshop, run: Run, task: Task): AgentReport {
  const state = workshop.state();
  const own = run.sessions
    .flatMap((id) => sessionOf(state, id) ?? [])
    .filter((session) => session.purpose.for === 'attempt' && taskIdOfSession(session) === task.id);
  const last = own.at(-1);
  if (last === undefined) return {};
  return own
    .map(({id}) => handedReportOf(workshop, id))
    .reduce(mergeReports, printedReportOf(workshop, run, last));
}

/** Each says what it found out; of one thing the later word counts. */
function mergeReports(before: AgentReport, said: AgentReport): AgentReport {
  const rootCause = said.rootCause ?? before.rootCause;
  return {
    ...(rootCause === undefined ? {} : {rootCause}),
    decisions: [...new Set([...(before.decisions ?? []), ...(said.decisions ?? [])])],
    rejected: [
      ...new Map(
        [...(before.rejected ?? []), ...(said.rejected ?? [])].map((one) => [one.alternative, one]),
      ).values(),
    ],
  };
}

function printedReportOf(workshop: Workshop, run: Run, last: Session): AgentReport {
  const output = plainOutputOf(readOutput(workshop, last.id, mostBytes));
  const outcomeText = readOutcomeText(exchangeOf(workshop, last.id));
  const outcome = driverFor(workshop, run, {for: 'attempt'}).readOutcome({
    code: 0,
    output,
    ...(outcomeText === undefined ? {} : {outcome: outcomeText}),
  });
  if (outcome.at === 'finished' && outcome.report !== undefined) return outcome.report;
  const {rootCause, decisions, rejected} = readReport(output, workshop.secrets()).value;
  return {...(rootCause === undefined ? {} : {rootCause}), decisions, rejected};
}

/** What stands there already is kept: an earlier end of the same day, or what a person made of it. The same text is the same summary, written before a crash. */
function freeName(checkout: string, file: string, text: string): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? file : file.replace(/\.md$/, `-${count}.md`);
    const reading = readRegularFile(path.join(checkout, name), {
      maxBytes: mostBytes,
      below: checkout,
    });
    const isFree =
      reading.at === 'read' ? reading.bytes.toString('utf8') === text : reading.why === 'missing';
    if (isFree) return name;
    if (count === mostNames)
      throw new Error(
        `${path.join(checkout, file)} cannot be written: it and ${mostNames - 1} more names for it are taken, and ${name} ${reading.at === 'read' ? 'is another text' : reading.message}. Remove what is there`,
      );
  }
}

const mostNames = 1000;
