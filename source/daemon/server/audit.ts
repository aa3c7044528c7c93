import path from 'node:path';
import {ledgerEntries} from '../../shared/index.ts';
import {parseToolCosts, selectBlockedHosts, type ToolCosts} from '../../reports/index.ts';
import {
  selectRuns,
  selectTask,
  selectTokens,
  type Session,
  type SessionId,
  type State,
  usageOfRun,
} from '../../domain/index.ts';
import {tryReadText} from '../../files/index.ts';
import {readSoundEvents} from '../engine/journal-events.ts';
import {getExchange} from '../launch/exchange.ts';
import type {DaemonDirectory, SessionFiles, StateReader} from '../daemon-context.ts';

const maxPromptRecordBytes = 256 * 1024;
const maxToolCostsBytes = 16 * 1024 * 1024;

/**
 * The answer to `audit`: what each prompt was made of, tokens spent, blocked hosts and the cost of
 * tools.
 */
export function buildAudit(
  context: StateReader & SessionFiles & DaemonDirectory,
  run: string | undefined,
): unknown {
  const state = context.state();
  const runs = selectRuns(state).filter(({id}) => run === undefined || id === run);
  const ids = new Set(runs.flatMap(({sessions}) => sessions));
  const contexts = ledgerEntries(state.sessions)
    .filter(({id}) => ids.has(id))
    .flatMap((session) => {
      const record = readPromptRecord(context, session.id);
      return record === undefined
        ? []
        : [
            {
              session: session.id,
              about: selectAbout(session),
              ...selectResult(state, session),
              ...record,
              used: session.usage,
            },
          ];
    });
  const spent = runs.reduce((sum, one) => sum + selectTokens(usageOfRun(state, one)), 0);
  const validated = runs
    .flatMap(({tasks}) => tasks)
    .filter(({attempts}) => attempts.some(({step}) => step.at === 'passed')).length;
  const tools = readToolCosts(context);
  const abouts = new Map(
    ledgerEntries(state.sessions)
      .filter(({id}) => ids.has(id))
      .map((session) => [session.id as string, selectAbout(session)]),
  );
  return {
    contexts,
    spent,
    validated,
    refused: selectBlockedHosts(readSoundEvents(context), (session) => abouts.get(session)),
    ...(tools !== undefined && {tools}),
  };
}

/** How the attempt of a worker ended. Only the checks decide. */
function selectResult(
  state: State,
  {purpose}: Session,
): {readonly attempt?: number; readonly result?: 'green' | 'red' | 'open'} {
  if (purpose.for !== 'attempt') return {};
  const attempt = selectTask(state, purpose.task)?.attempts.find(
    ({number}) => number === purpose.attempt,
  );
  if (attempt === undefined) return {};
  const {at} = attempt.step;
  const isRed = at === 'failed' || at === 'gave-up';
  const result = isRed ? 'red' : 'open';
  return {attempt: attempt.number, result: at === 'passed' ? 'green' : result};
}

function selectAbout({purpose}: Session): string {
  if ('task' in purpose) return purpose.task;
  return 'run' in purpose ? purpose.run : '';
}

/** The last result of `orchestra audit --tools`. */
function readToolCosts({stateDirectory}: DaemonDirectory): ToolCosts | undefined {
  const file = path.join(stateDirectory, 'tool-costs.json');
  return parseToolCosts(tryReadText(file, {maxBytes: maxToolCostsBytes}) ?? '');
}

/**
 * The parts of a session's prompt, for the audit. Earlier versions kept this record in a directory
 * that the agent can write to, so such a record counts only if it has exactly the expected shape.
 */
export function readPromptRecord(
  daemon: SessionFiles & DaemonDirectory,
  session: SessionId,
): object | undefined {
  const note = daemon.store.noteOf(session, 'context');
  if (typeof note === 'object' && note !== null) return note;
  const {context, below} = getExchange(daemon, session);
  const text = tryReadText(context, {maxBytes: maxPromptRecordBytes, below});
  try {
    return text === undefined ? undefined : parseOlderRecord(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function parseOlderRecord(value: unknown): object | undefined {
  if (!isRecord(value)) return undefined;
  const {agent, model, for: purpose, tokens, budget, isOver, parts} = value;
  const isWhole =
    typeof agent === 'string' &&
    typeof purpose === 'string' &&
    typeof tokens === 'number' &&
    typeof budget === 'number' &&
    Array.isArray(parts) &&
    parts.every(isPart);
  return isWhole
    ? {
        agent,
        ...(typeof model === 'string' && {model}),
        for: purpose,
        tokens,
        budget,
        isOver: isOver === true,
        parts,
      }
    : undefined;
}

function isPart(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value['name'] === 'string' &&
    typeof value['tokens'] === 'number' &&
    typeof value['full'] === 'number' &&
    typeof value['isCut'] === 'boolean'
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
