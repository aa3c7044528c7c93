import {createHash} from 'node:crypto';
import {closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {plainOutputOf, readReport, redact, secretsOf, summaryFileNameOf, summaryOfRun, summaryOfTask, type AgentReport} from '../../documents/index.ts';
import {runOf, sessionOf, taskIdOfSession, taskOf, type Run, type Task} from '../../domain/index.ts';
import type {Perform} from '../conductor.ts';
import {driverFor} from '../launch/agent-launch.ts';
import {exchangeOf, readOutcomeText} from '../launch/exchange.ts';
import {knowledgeDirectory} from '../launch/knowledge.ts';
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
    const secrets = secretsOf(workshop.env);
    const events = workshop.eventsOf(run.id);
    const date = new Date(task === undefined ? run.createdAt : endOf(task) ?? run.createdAt).toISOString().slice(0, 10);
    const source = {state, run, events, date, redact: (text: string) => redact(text, secrets)};
    const text = task === undefined ? summaryOfRun(source) : summaryOfTask({...source, task, report: reportOf(workshop, run, task)});
    const file = path.join(knowledgeDirectory, summaryFileNameOf({date, run: run.id, ...(task === undefined ? {} : {task: task.id})}));
    writeWhole(path.join(checkoutOf(workshop, run), file), text);
    await report({type: 'summary-written', run: run.id, endings: effect.endings, path: file, hash: createHash('sha256').update(text).digest('hex'), ...(task === undefined ? {} : {task: task.id})});
  };
}

function endOf({stage}: Task): number | undefined {
  return 'since' in stage ? stage.since : undefined;
}

/** The agent's own words are taken for root cause and decisions, and for nothing else. */
function reportOf(workshop: Workshop, run: Run, task: Task): AgentReport {
  const state = workshop.state();
  const last = run.sessions.flatMap((id) => sessionOf(state, id) ?? []).findLast((session) => session.purpose.for === 'attempt' && taskIdOfSession(session) === task.id);
  if (last === undefined) return {};
  const output = plainOutputOf(readOutput(workshop, last.id, mostBytes));
  const outcomeText = readOutcomeText(exchangeOf(workshop, last.id));
  const outcome = driverFor(workshop, run, {for: 'attempt'}).readOutcome({code: 0, output, ...(outcomeText === undefined ? {} : {outcome: outcomeText})});
  if (outcome.at === 'finished' && outcome.report !== undefined) return outcome.report;
  const {rootCause, decisions, rejected} = readReport(output, secretsOf(workshop.env)).value;
  return {...(rootCause === undefined ? {} : {rootCause}), decisions, rejected};
}

/** Whole or not at all. */
function writeWhole(file: string, text: string): void {
  mkdirSync(path.dirname(file), {recursive: true});
  const temporary = `${file}.tmp`;
  const fd = openSync(temporary, 'w', 0o644);
  try {
    writeFileSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }

  renameSync(temporary, file);
}
