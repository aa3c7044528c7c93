import type {Listener} from './listener.ts';

/** Fields, one per line: `p` pid, `u` user, `t` type, `n` name. */
export const lsofQuestion: readonly string[] = ['-nP', '-iTCP', '-sTCP:LISTEN', '-Fputn'];

/** Reads what `lsof` of macOS answers; it names only processes of the same user. Unverified: written from its manual. */
export function readLsof(text: string): Listener[] {
  const listeners: Listener[] = [];
  let [pid, uid, type] = ['', '', ''];
  for (const line of text.split('\n')) {
    const value = line.slice(1);
    if (line.startsWith('p')) pid = value;
    else if (line.startsWith('u')) uid = value;
    else if (line.startsWith('t')) type = value;
    const {host, port} = line.startsWith('n')
      ? (/^(?<host>\*|\[.+\]|[^:]+):(?<port>\d+)$/.exec(value)?.groups ?? {})
      : {};
    if (host === undefined) continue;
    const anywhere = type === 'IPv6' ? '::' : '0.0.0.0';
    listeners.push({
      address: host === '*' ? anywhere : host.replaceAll(/[[\]]/g, ''),
      port: Number(port),
      uid: Number(uid),
      holder: Number(pid),
    });
  }

  return listeners;
}
