import {formatAge, formatColumns} from '../terminal-text.ts';

/** What is known about a port. */
export type PortLine = {
  readonly port: number;
  readonly verdict: 'yes' | 'no' | 'unknown';
  readonly state: string;
  readonly address?: string;
  readonly session?: string;
  readonly owner?: {
    readonly identity: {readonly pid: number};
    readonly name: string;
    readonly command: string;
    readonly directory?: string;
    readonly since: number;
  };
  readonly proof: readonly {readonly source: string; readonly text: string}[];
  readonly stale: readonly (
    | {readonly kind: 'another-worktree'; readonly directory: string}
    | {readonly kind: 'older-than-its-code'; readonly file: string; readonly changedAt: number}
  )[];
};

const portStates: Readonly<Record<string, string>> = {
  accepting: 'it accepts connections',
  listening: 'it listens; this system does not show whether it accepts connections',
  'listening-not-accepting': 'it listens, but accepts no connections: it hangs or is stopped',
  'listening-elsewhere': 'it listens, but not on loopback',
  foreign: 'another process uses it',
  free: 'nothing listens',
  unknown: 'the kernel does not show it',
};

/** The verdict first, then the owner and since when, then the proof. */
export function formatPort(
  {port, verdict, state, address, session, owner, proof, stale}: PortLine,
  now: number,
): string {
  const rows = [
    ...(session === undefined ? [] : [['session', session]]),
    ...(owner === undefined
      ? []
      : [
          ['process', `${owner.identity.pid} ${owner.name}, for ${formatAge(now - owner.since)}`],
          ['command', owner.command],
        ]),
    ...(owner?.directory === undefined ? [] : [['works in', owner.directory]]),
    ...(address === undefined ? [] : [['address', address]]),
    ...stale.map((warning) => [
      'warning',
      warning.kind === 'another-worktree'
        ? `another worktree serves it: ${warning.directory}`
        : `it runs older code: ${warning.file} changed ${formatAge(now - warning.changedAt)} ago`,
    ]),
    ...proof.map(({source, text}) => ['proof', `${source}: ${text}`]),
  ];
  return `${verdict}: port ${port}, ${portStates[state] ?? state}\n${formatColumns(rows)}`;
}

export type FactLine = {readonly name: string} & (
  {readonly value: unknown; readonly source: string} | {readonly unknown: string}
);

/** One fact a line, each with its source. */
export function formatFacts(facts: readonly FactLine[]): string {
  return formatColumns(
    facts.map((fact) =>
      'unknown' in fact
        ? [fact.name, 'unknown', fact.unknown]
        : [fact.name, fact.source, formatValue(fact.value)],
    ),
  );
}

function formatValue(value: unknown): string {
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : value.map((item) => JSON.stringify(item)).join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
