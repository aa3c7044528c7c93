import {sanitizeText} from '../../base/index.ts';
import type {AskSource, NoticedLoop, Usage} from '../../domain/index.ts';
import {counted} from '../doctor/doctor-report.ts';
import {describeLoop, describeNetworkRefusal, describeRetry} from '../events/describe-reason.ts';
import {ageOf, columns} from './columns.ts';
import {atPrompt, type SessionLine} from './format-sessions.ts';
import {sourceInWords} from './source-in-words.ts';

/** A session with what its state rests on. */
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
  const {input, usage, processes, screen, ended, since, silentMs} = session;
  const life =
    ended === undefined
      ? since === undefined
        ? session.status
        : `${session.status}, for ${ageOf(now - since)}`
      : `${session.status} ${ageOf(now - ended.at)} ago: ${ended.why ?? ended.signal ?? `exit ${ended.code ?? 'unknown'}`}`;
  const facts = columns([
    ['session', `${session.session} (${session.name})`],
    ['command', session.command.join(' ')],
    ['works in', session.directory],
    ['state', life],
    ...(session.retrying === undefined
      ? []
      : [['service', `the agent's service fails: ${describeRetry(session.retrying, now)}`]]),
    ...(session.loops ?? []).map(({kind, evidence, times, since: from, isSeen}) => [
      'circles',
      `${describeLoop({loop: kind, evidence, times})}, since ${ageOf(now - from)} ago${isSeen === true ? '; you let it go on' : ''}`,
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
            'needs nobody',
            `${input?.interpreter?.name ?? session.name} is ${atPrompt}; what is run in it and asks will be told`,
          ],
        ]
      : []),
    ...(session.asks === undefined
      ? []
      : [
          ['needs you', `${sourceInWords(session.asks.source)}: ${session.asks.question}`],
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
            `${describeNetworkRefusal(refusal)} (${counted(refusal.times, 'time')})`,
          ]),
        ]),
    ['silent', `for ${ageOf(silentMs)}`],
    ...session.ports.map(({port}) => ['port', String(port)]),
    ...processes.map(({pid, state, found, command}) => [
      'process',
      `${pid} ${state} ${command} (found by ${found})`,
    ]),
  ]);
  const lines = screen.slice(0, screen.findLastIndex((line) => line.trim() !== '') + 1).slice(-10);
  return `${facts}${lines.length === 0 ? '' : `its screen ends in\n${lines.map((line) => `  ${sanitizeText(line)}\n`).join('')}`}`;
}
