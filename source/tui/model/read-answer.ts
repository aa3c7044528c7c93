import {
  notesInWords,
  type Brief,
  type Recalled,
  type SharingReport,
  type Timeline,
} from '../../documents/index.ts';
import type {CodeReport} from '../../client/index.ts';
import type {RepositoryNote} from '../../domain/index.ts';
import type {Answers, AuditAnswer, FactAnswer, UsageAnswer} from './model.ts';
import {readDiff} from './read-diff.ts';

/** Takes an answer in under the name it was asked by; `name/of` says what it is about. What comes is the daemon's own; what does not look like an answer is left. */
export function readAnswer(answers: Answers, name: string, value: unknown, now: number): Answers {
  const [kind = '', ...rest] = name.split('/');
  const of = rest.join('/');
  const record = (typeof value === 'object' && value !== null ? value : {}) as Readonly<
    Record<string, unknown>
  >;
  switch (kind) {
    case 'brief':
      return Array.isArray(record['needs'])
        ? {...answers, brief: withArrival(value as Brief, answers.brief)}
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
            read: readDiff(typeof record['text'] === 'string' ? record['text'] : ''),
            files,
          },
        },
      };
    }

    case 'explanation':
      return typeof record['text'] === 'string'
        ? {...answers, explanation: {of, value: {text: record['text']}}}
        : answers;
    case 'timeline':
      return Array.isArray(record['entries']) ? {...answers, timeline: value as Timeline} : answers;
    case 'audit':
      return Array.isArray(record['contexts'])
        ? {...answers, audit: value as AuditAnswer}
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
            repository: notesInWords(
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
      ).flatMap(([session, told]) => {
        const {cpu, memory} = told ?? {};
        if (typeof cpu !== 'number' || typeof memory !== 'number') return [];
        const before = answers.usage?.[session];
        const isSame = before !== undefined && usageInWords(before) === usageInWords({cpu, memory});
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

/** Asked again since the same moment, it does not tell when the person came: that is as it was. */
function withArrival(brief: Brief, before: Brief | undefined): Brief {
  const came = brief.came ?? (before?.since === brief.since ? before.came : undefined);
  return {...brief, ...(came !== undefined && {came})};
}

/** What a title says of it; what reads the same is the same. */
export function usageInWords({cpu, memory}: Pick<UsageAnswer, 'cpu' | 'memory'>): string {
  return `${Math.round(cpu * 100)} % ${Math.round(memory / 1e6)} MB`;
}

/** A question that was refused is answered with the reason where it was asked. */
export function readRefusal(answers: Answers, name: string, words: string): Answers {
  const [kind = '', ...rest] = name.split('/');
  const of = rest.join('/');
  if (kind === 'diff') return {...answers, diff: {of, refused: words}};
  if (kind === 'explanation') return {...answers, explanation: {of, refused: words}};
  return kind === 'recall' ? {...answers, recall: {of, refused: words}} : answers;
}
