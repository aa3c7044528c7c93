import {
  closeSync,
  constants,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import {parseHost, sanitizeText} from '../shared/index.ts';
import type {NetworkRefusal} from '../domain/index.ts';
import type {NetworkTarget} from './open-target.ts';
import {maxBlockedHosts} from '../domain/index.ts';

const reasonTexts: Readonly<Record<NetworkRefusal, string>> = {
  'not-listed': 'it is not among the hosts in sandbox.network of .orchestra/project.yaml',
  'port-not-listed':
    'the host is in sandbox.network of .orchestra/project.yaml, but not with this port',
  'private-address':
    'the name leads to this machine or a private network; to allow it, list the address ' +
    'itself in sandbox.network of .orchestra/project.yaml',
  'not-a-host': 'it is neither a host name nor an address',
  'too-many': 'too much was refused to tell each',
};

/** A requested host, safe to print and to store: a program chose every byte of it. */
export function formatHost(host: string): string {
  return (
    parseHost(host)?.text ?? sanitizeText(host.replaceAll(/[\s\u0080-\uFFFF]/g, '?')).slice(0, 253)
  );
}

export function formatRefusal({host, port}: NetworkTarget, why: NetworkRefusal): string {
  return `orchestra: the network refused ${formatHost(host)}:${port}: ${reasonTexts[why]}.`;
}

/** A refused request of a session. */
export type BlockedRequest = {
  readonly host: string;
  readonly port: number;
  readonly why: NetworkRefusal;
  readonly times: number;
};

/** How many different refusals of a session are stored; the last entry counts all others. */
export const maxRefusals = maxBlockedHosts;

const knownReasons: ReadonlySet<unknown> = new Set<NetworkRefusal>([
  'not-listed',
  'port-not-listed',
  'private-address',
  'not-a-host',
  'too-many',
]);

/** Parses the file of a supervisor; invalid entries are skipped. */
export function parseRefusals(text: string): readonly BlockedRequest[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }

  return Array.isArray(value)
    ? value
        .slice(0, maxRefusals)
        .filter(isRefusal)
        .map(({host, port, why, times}) => ({host, port, why, times}))
    : [];
}

function isRefusal(value: unknown): value is BlockedRequest {
  const {host, port, why, times} = (value ?? {}) as Partial<Record<keyof BlockedRequest, unknown>>;
  return (
    typeof host === 'string' &&
    host.length <= 253 &&
    Number.isInteger(port) &&
    Number.isInteger(times) &&
    knownReasons.has(why)
  );
}

export type RefusalsOptions = {
  /** The file for the daemon, in a directory that no agent sees. */
  readonly file: string;
  /** Shows one line on the session's terminal. */
  readonly show: (line: string) => void;
};

export type Refusals = {
  readonly add: (target: NetworkTarget, why: NetworkRefusal) => void;
  /** Writes pending entries. */
  readonly flush: () => void;
};

const writeEveryMs = 250;

/**
 * Shows the first refusal of each host and port, and counts the others; after `maxRefusals`
 * different ones nothing more is shown.
 */
export function createRefusals({file, show}: RefusalsOptions): Refusals {
  const known = new Map<string, BlockedRequest>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    try {
      writeFileSync(`${file}.new`, JSON.stringify([...known.values()]), {mode: 0o600});
      renameSync(`${file}.new`, file);
    } catch {
      // The request is refused even if that cannot be recorded.
    }
  };

  const add: Refusals['add'] = (target, why) => {
    const isFull = known.size >= maxRefusals - 1;
    const [host, port] = [formatHost(target.host), target.port];
    const key = `${host}:${port}`;
    const before = known.get(key);
    const entry =
      before === undefined && isFull
        ? {key: '', host: '*', port: 0, why: 'too-many' as const}
        : {key, host, port, why};
    const earlier = known.get(entry.key);
    known.set(entry.key, {
      host: entry.host,
      port: entry.port,
      why: entry.why,
      times: Math.min((earlier?.times ?? 0) + 1, 1e9),
    });
    if (earlier === undefined) show(formatRefusal({host: entry.host, port: entry.port}, entry.why));
    timer ??= setTimeout(flush, writeEveryMs);
  };

  return {add, flush};
}

/**
 * Writes one line to the terminal of this process, but only while it is in the foreground:
 * otherwise it would disturb a shell with jobs. It never blocks on a full terminal.
 */
export function showOnTerminal(line: string): void {
  try {
    const [, , group, , , foreground] = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    if (group !== foreground) return;
    const terminal = openSync(
      '/dev/tty',
      constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY,
    );
    try {
      writeSync(terminal, `${line}\r\n`);
    } finally {
      closeSync(terminal);
    }
  } catch {
    // There is no terminal, or its buffer is full.
  }
}
