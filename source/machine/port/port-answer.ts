import type {SessionId} from '../../domain/index.ts';
import type {Proof} from '../fact.ts';
import type {ProcessIdentity} from '../process/process.ts';

export type PortAnswer = PortFinding & {
  readonly port: number;
  /** Whether connections to this port on loopback reach a process of one of the sessions, and it takes them. */
  readonly verdict: 'yes' | 'no' | 'unknown';
  /** Further sockets on the same port, as on `::1` beside `127.0.0.1`. */
  readonly others: readonly PortFinding[];
  readonly proof: readonly Proof[];
  readonly at: number;
};

export type PortFinding = {
  readonly state: PortState;
  readonly address?: string;
  readonly owner?: PortOwner;
  /** Whose process the owner is. */
  readonly session?: SessionId;
};

/** Of the sessions' processes, or of others where it says so. */
export type PortState =
  /** It took a connection just now. */
  | 'accepting'
  /** Connections are made, and the system does not tell whether it takes them (macOS). */
  | 'listening'
  /** It does not take connections: it hangs, or is stopped. */
  | 'listening-not-accepting'
  /** Only on an address that is not loopback. */
  | 'listening-elsewhere'
  /** Somebody else listens. Who, if the kernel told. */
  | 'foreign'
  | 'free'
  | 'unknown';

export type PortOwner = {
  readonly identity: ProcessIdentity;
  readonly name: string;
  readonly command: string;
  readonly directory?: string;
  readonly cookie?: string;
  /** When the process began, wall clock in milliseconds. The socket is younger; its own age the kernel does not keep. */
  readonly since: number;
};

/** Who stands first decides: somebody else on one of the addresses means that `localhost` may lead there. */
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

export function answerOf(
  port: number,
  findings: readonly PortFinding[],
  proof: readonly Proof[],
  at: number,
): PortAnswer {
  const [first = {state: 'free'}, ...others] = findings.toSorted((a, b) => rankOf(a) - rankOf(b));
  return {...first, port, verdict: verdicts[first.state], others, proof, at};
}

/** A stranger on another address than loopback is in nobody's way. */
function rankOf({state, address}: PortFinding): number {
  return state === 'foreign' && address !== undefined && loopbacksOf(address).length === 0
    ? ranks.length
    : ranks.indexOf(state);
}

/** Where on loopback a socket with this address is reached. One for any address of IPv6 mostly serves IPv4 as well. */
export function loopbacksOf(address: string): readonly ('::1' | `127.${string}`)[] {
  const plain = address.replace(/^::ffff:/, '');
  if (plain === '0.0.0.0') return ['127.0.0.1'];
  if (plain === '::') return ['::1', '127.0.0.1'];
  if (plain === '::1') return ['::1'];
  return plain.startsWith('127.') ? [`127.${plain.slice(4)}`] : [];
}
