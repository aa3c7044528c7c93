import type {SessionId} from '../../domain/index.ts';
import type {KernelProof} from '../kernel.ts';
import type {ProcessKey} from '../processes/process.ts';

export type PortAnswer = PortFinding & {
  readonly port: number;
  /** Whether loopback connections to this port reach a process of a session that accepts them. */
  readonly verdict: 'yes' | 'no' | 'unknown';
  /** Further sockets on the same port, such as `::1` beside `127.0.0.1`. */
  readonly others: readonly PortFinding[];
  readonly proof: readonly KernelProof[];
  readonly at: number;
};

export type PortFinding = {
  readonly state: PortState;
  readonly address?: string;
  readonly owner?: PortOwner;
  /** The owner's session. */
  readonly session?: SessionId;
};

/** State of a port with respect to the sessions. */
export type PortState =
  /** A process of a session accepted a connection just now. */
  | 'accepting'
  /** Connections succeed; the system does not tell whether they are accepted (macOS). */
  | 'listening'
  /** It does not accept connections: it hangs, or is stopped. */
  | 'listening-not-accepting'
  /** Only on an address that is not loopback. */
  | 'listening-elsewhere'
  /** A foreign process listens; `owner` has it if the kernel told. */
  | 'foreign'
  | 'free'
  | 'unknown';

export type PortOwner = {
  readonly identity: ProcessKey;
  readonly name: string;
  readonly command: string;
  readonly directory?: string;
  readonly cookie?: string;
  /**
   * Start of the process, wall clock in milliseconds. The socket is younger; the kernel does not
   * keep its age.
   */
  readonly since: number;
};

/**
 * Order of precedence: a foreign process on one of the addresses can get connections to
 * `localhost`.
 */
const ranks: readonly PortState[] = [
  'foreign',
  'unknown',
  'accepting',
  'listening',
  'listening-not-accepting',
  'listening-elsewhere',
  'free',
];

const verdicts: Readonly<Record<PortState, PortAnswer['verdict']>> = {
  accepting: 'yes',
  listening: 'yes',
  'listening-not-accepting': 'no',
  'listening-elsewhere': 'no',
  foreign: 'no',
  free: 'no',
  unknown: 'unknown',
};

export function toPortAnswer(
  port: number,
  findings: readonly PortFinding[],
  proof: readonly KernelProof[],
  at: number,
): PortAnswer {
  const [first = {state: 'free'}, ...others] = findings.toSorted((a, b) => toRank(a) - toRank(b));
  return {...first, port, verdict: verdicts[first.state], others, proof, at};
}

/** A foreign process on a non-loopback address does not matter. */
function toRank({state, address}: PortFinding): number {
  return state === 'foreign' && address !== undefined && toLoopbacks(address).length === 0
    ? ranks.length
    : ranks.indexOf(state);
}

/**
 * Loopback addresses that reach a socket with this address. A socket on `::` usually serves IPv4 as
 * well.
 */
export function toLoopbacks(address: string): readonly ('::1' | `127.${string}`)[] {
  const plain = address.replace(/^::ffff:/, '');
  if (plain === '0.0.0.0') return ['127.0.0.1'];
  if (plain === '::') return ['::1', '127.0.0.1'];
  if (plain === '::1') return ['::1'];
  return plain.startsWith('127.') ? [`127.${plain.slice(4)}`] : [];
}
