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
  accepting: 'it takes connections',
  listening: 'it listens; this system does not tell whether it takes connections',
  'listening-not-accepting': 'it listens, but takes no connections: it hangs or is stopped',
  'listening-elsewhere': 'it listens, but not on loopback',
  foreign: 'somebody else has it',
  free: 'nobody listens',
  unknown: 'the kernel does not tell',
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
        ? `it is served from another worktree: ${warning.directory}`
        : `it is older than its code: ${warning.file} was changed ${formatAge(now - warning.changedAt)} ago`,
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
