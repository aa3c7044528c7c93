import type {AskSource, NoticedLoop, Retrying, Usage} from '../../domain/index.ts';
import {
  describeLoop,
  describeNetworkRefusal,
  describeRetry,
  formatAskSource,
} from '../messages/describe-reason.ts';
import {formatAge, formatColumns} from '../terminal-text.ts';
import {pluralize, sanitizeText} from '../../shared/index.ts';

/** A session in a list. */
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

export type OrphanSession = {
  readonly session: string;
  readonly directory: string;
  readonly pid: number | null;
};

/** Live sessions; ended ones are listed with `all`, and otherwise only counted. */
export function formatSessions(
  sessions: readonly SessionLine[],
  orphans: readonly OrphanSession[],
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
      : formatColumns(
          [
            ['SESSION', 'STATUS', 'AGE', 'PID', 'PORTS', 'NAME', 'COMMAND'],
            ...shown.map((session) => toRow(session, now)),
          ],
          width,
        );
  return [
    table,
    ...(shown.length === 0
      ? [`No session is running. Start one: orchestra start -- COMMAND\n`]
      : []),
    ...(rest > 0 ? [`${rest} ended; see them with --all\n`] : []),
    ...orphans.map(
      ({session, directory, pid}) =>
        `unknown: ${session}${pid === null ? '' : ` (pid ${pid})`} from a journal that ` +
        `no longer exists; its files are in ${directory}\n`,
    ),
  ].join('');
}

function toRow(line: SessionLine, now: number): string[] {
  const {session, name, command, pid, ports} = line;
  return [
    session,
    formatState(line, now),
    formatSessionAge(line, now),
    pid === undefined ? '' : String(pid),
    ports.map(({port}) => port).join(' '),
    name,
    command.join(' '),
  ];
}

function formatState({status, ended, waiting, retrying}: SessionLine, now: number): string {
  if (status === 'idle') return atPrompt;
  if (waiting !== undefined) {
    const asks = waiting.secret ? 'asks for a secret' : 'asks';
    const who =
      waiting.source === undefined ? asks : `needs you, ${formatAskSource(waiting.source)}`;
    return `${who}: ${waiting.question}`;
  }

  return retrying === undefined
    ? formatEnd(status, ended)
    : describeRetry({...retrying, words: ''}, now);
}

function formatSessionAge({since, ended}: SessionLine, now: number): string {
  if (ended !== undefined) return `${formatAge(now - ended.at)} ago`;
  return since === undefined ? '' : formatAge(now - since);
}

/** The state of an idle shell that a person opened. */
export const atPrompt = 'at its prompt';

function formatEnd(status: string, ended: SessionLine['ended']): string {
  if (ended === undefined) return status;
  if (ended.why !== undefined) return `lost: ${ended.why}`;
  return ended.signal ?? `exit ${ended.code ?? 'unknown'}`;
}

/** A session with the evidence for its state. */
export type ExplanationLines = SessionLine & {
  readonly directory: string;
  readonly asks?: {
    readonly source: AskSource;
    readonly question: string;
    readonly options?: readonly string[];
  };
  readonly input?: {
    readonly verdict: string;
    readonly proof: string;
    readonly secret: boolean;
    readonly interpreter?: {readonly name: string};
    readonly why: readonly {readonly source: string; readonly text: string}[];
  };
  readonly usage?: {readonly cpu: number; readonly memory: number};
  readonly tokens?: Usage;
  readonly loops?: readonly NoticedLoop[];
  readonly network?: {
    readonly words: string;
    readonly refused: readonly (Parameters<typeof describeNetworkRefusal>[0] & {
      readonly times: number;
    })[];
  };
  readonly processes: readonly {
    readonly pid: number;
    readonly command: string;
    readonly found: string;
    readonly state: string;
  }[];
  readonly screen: readonly string[];
  readonly silentMs: number;
};

export function formatExplanation(session: ExplanationLines, now: number): string {
  const {input, usage, processes, screen, ended, silentMs} = session;
  const facts = formatColumns([
    ['session', `${session.session} (${session.name})`],
    ['command', session.command.join(' ')],
    ['works in', session.directory],
    ['state', formatLife(session, now)],
    ...(session.retrying === undefined
      ? []
      : [['service', `the agent's service fails: ${describeRetry(session.retrying, now)}`]]),
    ...(session.loops ?? []).map(({kind, evidence, times, since: from, isSeen}) => [
      'circles',
      `${describeLoop({loop: kind, evidence, times})}, since ${formatAge(now - from)} ` +
        `ago${isSeen === true ? '; you let it go on' : ''}`,
    ]),
    ...(session.tokens === undefined
      ? []
      : [
          [
            'tokens',
            `${session.tokens.input} in, ${session.tokens.output} out${ended === undefined ? ', so far' : ''}`,
          ],
        ]),
    ...(session.status === 'idle'
      ? [
          [
            'does not wait',
            `${input?.interpreter?.name ?? session.name} is ${atPrompt}; a program that asks in it is reported`,
          ],
        ]
      : []),
    ...(session.asks === undefined
      ? []
      : [
          ['needs you', `${formatAskSource(session.asks.source)}: ${session.asks.question}`],
          ...(session.asks.options ?? []).map((option, index) => [`  ${index + 1}`, option]),
        ]),
    ...(input === undefined
      ? []
      : [
          [
            'input',
            `${input.verdict}${input.proof === 'none' ? '' : `, ${input.proof}`}${input.secret ? ', a secret' : ''}`,
          ],
          ...input.why.map(({source, text}) => ['proof', `${source}: ${text}`]),
        ]),
    ...(usage === undefined
      ? []
      : [
          [
            'uses',
            `${Math.round(usage.cpu * 100)} % of a core, ${Math.round(usage.memory / 1e6)} MB`,
          ],
        ]),
    ...(session.network === undefined
      ? []
      : [
          ['network', session.network.words],
          ...session.network.refused.map((refusal) => [
            'refused',
            `${describeNetworkRefusal(refusal)} (${pluralize(refusal.times, 'time')})`,
          ]),
        ]),
    ['silent', `for ${formatAge(silentMs)}`],
    ...session.ports.map(({port}) => ['port', String(port)]),
    ...processes.map(({pid, state, found, command}) => [
      'process',
      `${pid} ${state} ${command} (found by ${found})`,
    ]),
  ]);
  const lines = screen.slice(0, screen.findLastIndex((line) => line.trim() !== '') + 1).slice(-10);
  return `${facts}${lines.length === 0 ? '' : `the end of its screen\n${lines.map((line) => `  ${sanitizeText(line)}\n`).join('')}`}`;
}

function formatLife({status, ended, since}: SessionLine, now: number): string {
  if (ended !== undefined)
    return (
      `${status} ${formatAge(now - ended.at)} ago: ` +
      (ended.why ?? ended.signal ?? `exit ${ended.code ?? 'unknown'}`)
    );
  return since === undefined ? status : `${status}, for ${formatAge(now - since)}`;
}
