import {buildStatus} from '../../reports/index.ts';
import {isSessionId, selectSession, type State} from '../../domain/index.ts';
import {
  blank,
  fit,
  formatAgo,
  heading,
  type Line,
  paragraph,
  safeLine,
  span,
  type Tone,
} from '../model/line.ts';
import type {FactAnswer} from '../model/model.ts';
import type {Body, ScreenView} from './body.ts';

/** Services from the journal, and which session listens on which port, read from the kernel. */
export function servicesBody({model, state, size: {columns}, now}: ScreenView): Body {
  const {services} = buildStatus(state, now);
  const fact = model.answers.facts?.find(({name}) => name === 'ports');
  const wide = Math.max(8, ...services.map(({service}) => service.length));
  const rows = services.map(({service, words, port, stage, session}): Line => [
    span(` ${marks[stage]?.[0] ?? '○'} `, marks[stage]?.[1] ?? 'quiet'),
    span(fit(service, wide), 'strong'),
    span(`  ${fit(port === null ? 'no port' : `port ${port}`, 11)}`),
    span(`  ${words}`, marks[stage]?.[1] ?? 'plain'),
    span(session === null ? '' : `  ${session}`, 'quiet'),
  ]);
  return {
    list: 'services',
    head: [
      heading(' Services'),
      ...(services.length === 0
        ? paragraph(
            'None is declared. Name them in .orchestra/project.yaml: a name, a command, a port.',
            columns - 4,
            {first: '  ', tone: 'quiet'},
          )
        : []),
    ],
    rows: [...rows, blank, ...portLines(fact, state, now)],
    foot: [],
    hasCursor: services.length > 0,
    choices: rows.length,
  };
}

const marks: Readonly<Record<string, readonly [string, Tone]>> = {
  up: ['●', 'good'],
  down: ['○', 'quiet'],
  failed: ['!', 'bad'],
  'foreign-port': ['!', 'bad'],
  'backing-off': ['!', 'needs'],
};

function portLines(fact: FactAnswer | undefined, state: State, now: number): Line[] {
  if (fact === undefined) return [heading(' Ports'), [span('  asking the kernel …', 'quiet')]];
  const title: Line = [
    span(' Ports', 'title'),
    span(`  read from the kernel ${formatAgo(now - fact.at)}`, 'quiet'),
  ];
  if ('unknown' in fact) return [title, [span(`  unknown: ${fact.unknown}`, 'needs')]];
  const ports = (Array.isArray(fact.value) ? fact.value : []).flatMap(parsePort);
  if (ports.length === 0)
    return [title, [span('  no session of orchestra listens anywhere', 'quiet')]];
  return [
    title,
    ...ports
      .slice(0, maxPorts)
      .map(({port, pid, session}): Line => [
        span(`  ${String(port).padStart(5)}  `, 'strong'),
        span(`${session}  `),
        span(`${formatOwner(state, session)}  `),
        span(`process ${pid}`, 'quiet'),
      ]),
    ...(ports.length > maxPorts
      ? [[span(`  and ${ports.length - maxPorts} more`, 'quiet')] as Line]
      : []),
  ];
}

const maxPorts = 12;

function parsePort(
  value: unknown,
): {readonly port: number; readonly pid: number; readonly session: string}[] {
  const {port, pid, session} = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  return typeof port === 'number' && typeof pid === 'number' && typeof session === 'string'
    ? [{port, pid, session}]
    : [];
}

function formatOwner(state: State, id: string): string {
  const purpose = isSessionId(id) ? selectSession(state, id)?.purpose : undefined;
  if (purpose === undefined) return 'unknown';
  if (purpose.for === 'service') return `service ${safeLine(purpose.service)}`;
  if ('task' in purpose) return `${purpose.for} of ${purpose.task}`;
  return purpose.for === 'person' ? safeLine(purpose.name) : `${purpose.for} of ${purpose.run}`;
}
