import type {AskSource, Retrying} from '../../domain/index.ts';
import {describeRetry} from '../events/describe-reason.ts';
import {ageOf, columns} from './columns.ts';
import {sourceInWords} from './source-in-words.ts';

/** A session as it is listed. */
export type SessionLine = {
  readonly session: string;
  readonly name: string;
  readonly status: string;
  readonly command: readonly string[];
  readonly pid?: number;
  readonly since?: number;
  readonly ended?: {
    readonly at: number;
    readonly code: number | null;
    readonly signal: string | null;
    readonly why?: string;
  };
  readonly waiting?: {
    readonly question: string;
    readonly secret: boolean;
    readonly proof: string;
    readonly source?: AskSource;
  };
  readonly retrying?: Retrying;
  readonly ports: readonly {readonly port: number}[];
};

export type Stranger = {
  readonly session: string;
  readonly directory: string;
  readonly pid: number | null;
};

/** Living sessions first; what has ended is counted unless all are asked for. */
export function formatSessions(
  sessions: readonly SessionLine[],
  strangers: readonly Stranger[],
  {
    now,
    all,
    width,
  }: {readonly now: number; readonly all: boolean; readonly width?: number | undefined},
): string {
  const live = sessions.filter(({ended}) => ended === undefined);
  const shown = all ? sessions : live;
  const rest = sessions.length - shown.length;
  const table =
    shown.length === 0
      ? ''
      : columns(
          [
            ['SESSION', 'STATUS', 'AGE', 'PID', 'PORTS', 'NAME', 'COMMAND'],
            ...shown.map((session) => rowOf(session, now)),
          ],
          width,
        );
  return [
    table,
    ...(shown.length === 0
      ? [`No session is running. Start one: orchestra start -- COMMAND\n`]
      : []),
    ...(rest > 0 ? [`${rest} ended; see them with --all\n`] : []),
    ...strangers.map(
      ({session, directory, pid}) =>
        `unknown: ${session}${pid === null ? '' : ` (pid ${pid})`} of a journal that is gone; its files are in ${directory}\n`,
    ),
  ].join('');
}

function rowOf(
  {session, name, status, command, pid, since, ended, waiting, retrying, ports}: SessionLine,
  now: number,
): string[] {
  const state =
    status === 'idle'
      ? atPrompt
      : waiting === undefined
        ? retrying === undefined
          ? endOf(status, ended)
          : describeRetry({...retrying, words: ''}, now)
        : `${waiting.source === undefined ? `asks${waiting.secret ? ' a secret' : ''}` : `needs you, ${sourceInWords(waiting.source)}`}: ${waiting.question}`;
  const age =
    ended === undefined
      ? since === undefined
        ? ''
        : ageOf(now - since)
      : `${ageOf(now - ended.at)} ago`;
  return [
    session,
    state,
    age,
    pid === undefined ? '' : String(pid),
    ports.map(({port}) => port).join(' '),
    name,
    command.join(' '),
  ];
}

/** What a shell is doing that a person opened and left alone. */
export const atPrompt = 'at its prompt';

function endOf(status: string, ended: SessionLine['ended']): string {
  if (ended === undefined) return status;
  if (ended.why !== undefined) return `lost: ${ended.why}`;
  return ended.signal ?? `exit ${ended.code ?? 'unknown'}`;
}
