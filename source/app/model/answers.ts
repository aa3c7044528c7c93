import {
  type AcceptedCard,
  formatNotes,
  type SharingDirectory,
  type SharingReport,
  type StopReport,
  unshared,
} from '../../reports/index.ts';
import {isRecord} from '../../shared/index.ts';
import type {Recalled} from '../../knowledge/index.ts';
import type {CodeReport} from '../../protocol/index.ts';
import type {RepositoryNote} from '../../domain/index.ts';
import type {ContextAudit} from '../../reports/index.ts';
import type {Answers, FactAnswer, Model, UsageAnswer} from './model.ts';
import {orderFiles} from '../review/file-tree.ts';
import {parseDiff} from '../review/parse-diff.ts';

/**
 * Stores an answer of the daemon under the name of its request; `name/of` has the subject. A value
 * of the wrong shape is ignored.
 */
export function addAnswer(answers: Answers, name: string, value: unknown, now: number): Answers {
  const [kind = '', ...rest] = name.split('/');
  const of = rest.join('/');
  const record = isRecord(value) ? value : {};
  switch (kind) {
    case 'brief':
      return Array.isArray(record['needs'])
        ? {...answers, brief: withArrival(value as NonNullable<Answers['brief']>, answers.brief)}
        : answers;
    case 'codes':
      return Array.isArray(record['codes'])
        ? {...answers, codes: record['codes'] as readonly CodeReport[]}
        : answers;
    case 'diff': {
      const files = (Array.isArray(record['files']) ? record['files'] : []) as {
        readonly path: string;
        readonly how: string;
        readonly added: number;
        readonly removed: number;
      }[];
      return {
        ...answers,
        diff: {
          of,
          value: {
            from: String(record['from']),
            to: String(record['to']),
            read: orderFiles(parseDiff(typeof record['text'] === 'string' ? record['text'] : '')),
            files,
          },
        },
      };
    }

    case 'explanation':
      return typeof record['text'] === 'string'
        ? {...answers, explanation: {of, value: toExplanation(record['stop'])}}
        : answers;
    case 'change':
      return typeof record['text'] === 'string'
        ? {...answers, change: {of, value: parseDiff(record['text'])}}
        : answers;
    case 'timeline':
      return Array.isArray(record['entries'])
        ? {...answers, timeline: value as NonNullable<Answers['timeline']>}
        : answers;
    case 'accepted':
      return isRecord(record['card'])
        ? {...answers, accepted: record['card'] as AcceptedCard}
        : answers;
    case 'audit':
      return Array.isArray(record['contexts'])
        ? {...answers, audit: value as ContextAudit}
        : answers;
    case 'recall':
      return Array.isArray(value)
        ? {...answers, recall: {of, value: value as readonly Recalled[]}}
        : answers;
    case 'facts':
      return Array.isArray(value) ? {...answers, facts: value as readonly FactAnswer[]} : answers;
    case 'skills':
      return Array.isArray(record['skills'])
        ? {
            ...answers,
            skills: record['skills'].flatMap((skill: {readonly name?: unknown} | null) =>
              typeof skill?.name === 'string' ? [skill.name] : [],
            ),
          }
        : answers;
    case 'sharing':
      return Array.isArray(record['directories'])
        ? {...answers, sharing: value as SharingReport}
        : answers;
    case 'repository':
      return Array.isArray(record['notes'])
        ? {
            ...answers,
            repository: formatNotes(
              record['notes'].filter(
                (note): note is RepositoryNote =>
                  typeof (note as Partial<RepositoryNote> | null)?.words === 'string',
              ),
            ),
          }
        : answers;
    case 'usage': {
      const fresh = Object.entries(
        (record['usage'] ?? {}) as Readonly<Record<string, Partial<UsageAnswer> | null>>,
      ).flatMap(([session, usage]) => {
        const {cpu, memory} = usage ?? {};
        if (typeof cpu !== 'number' || typeof memory !== 'number') return [];
        const before = answers.usage?.[session];
        const isSame = before !== undefined && formatUsage(before) === formatUsage({cpu, memory});
        return isSame ? [] : [[session, {cpu, memory, at: now}] as const];
      });
      return fresh.length === 0
        ? answers
        : {...answers, usage: {...answers.usage, ...Object.fromEntries(fresh)}};
    }

    default:
      return answers;
  }
}

function toExplanation(stop: unknown): {readonly stop?: StopReport} {
  return isRecord(stop) && Array.isArray(stop['tries']) ? {stop: stop as StopReport} : {};
}

/**
 * A brief that was requested again for the same period has no arrival time: keep the one from
 * before.
 */
function withArrival(
  brief: NonNullable<Answers['brief']>,
  before: Answers['brief'],
): NonNullable<Answers['brief']> {
  const came = brief.came ?? (before?.since === brief.since ? before.came : undefined);
  return {...brief, ...(came !== undefined && {came})};
}

/** The usage in the title of a pane. Values with the same text count as unchanged. */
export function formatUsage({cpu, memory}: Pick<UsageAnswer, 'cpu' | 'memory'>): string {
  return `${Math.round(cpu * 100)} % ${Math.round(memory / 1e6)} MB`;
}

/** Stores why a request was rejected, so that its screen shows the reason. */
export function addRefusal(answers: Answers, name: string, text: string): Answers {
  const [kind = '', ...rest] = name.split('/');
  const of = rest.join('/');
  if (kind === 'diff') return {...answers, diff: {of, rejected: text}};
  if (kind === 'explanation') return {...answers, explanation: {of, rejected: text}};
  return kind === 'recall' ? {...answers, recall: {of, rejected: text}} : answers;
}

/** Dependencies of the checkout that tasks would not get, as far as is known. */
export function selectMissingDependencies({
  answers: {sharing},
}: Pick<Model, 'answers'>): readonly SharingDirectory[] {
  return sharing === undefined ? [] : unshared(sharing);
}
