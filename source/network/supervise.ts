import {spawn, type ChildProcess} from 'node:child_process';
import {openSync, readFileSync} from 'node:fs';
import {Server} from 'node:net';
import {networkEntriesOf, networkProxyPort, type NetworkEntry} from '../base/index.ts';
import {createProxy, type Proxy} from './create-proxy.ts';
import {createRefusals, showOnTerminal} from './create-refusals.ts';
import {realOutside} from './open-target.ts';
import type {SupervisorOrders} from './supervised.ts';

/** What a terminal sends to everybody in its foreground, and what a stop begins with: for the program inside, not for us. */
const passedBy = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGTERM',
  'SIGTSTP',
  'SIGTTIN',
  'SIGTTOU',
  'SIGUSR1',
  'SIGUSR2',
  'SIGPIPE',
] as const;

/**
 * Starts a sandbox on the terminal that we were started on, is its proxy as long as it runs, and ends as it ended. Whoever
 * ends us ends the sandbox (`--die-with-parent`); the daemon is not on the way.
 */
export function supervise(ordersFile: string, argv: readonly string[]): void {
  const ignore = (): void => undefined;
  for (const signal of passedBy) process.on(signal, ignore);
  const orders = JSON.parse(readFileSync(ordersFile, 'utf8')) as SupervisorOrders;
  const entries = networkEntriesOf(orders.allow);
  const refusals = createRefusals({
    file: orders.refusals,
    show: orders.shows ? showOnTerminal : ignore,
  });
  const proxy = createProxy({entries, outside: realOutside, onRefused: refusals.add});
  const [file = '', ...rest] = argv;
  const child = spawn(file, rest, {
    stdio: [
      'inherit',
      'inherit',
      'inherit',
      'ipc',
      orders.filter === undefined ? 'ignore' : openSync(orders.filter, 'r'),
    ],
  });
  child.once('error', (error) => {
    process.stderr.write(`orchestra: the sandbox could not be started: ${error.message}\n`);
    process.exit(127);
  });
  child.once('exit', (code, signal) => {
    refusals.flush();
    if (signal === null) process.exit(code ?? 1);
    for (const name of passedBy) process.off(name, ignore);
    process.kill(process.pid, signal);
  });
  takeSockets(child, proxy, entries);
}

/** The bridge inside hands over one listening socket after another and then says so; from then on nobody inside can say anything. */
function takeSockets(child: ChildProcess, proxy: Proxy, entries: readonly NetworkEntry[]): void {
  child.on('message', (message, handle) => {
    if (message === 'done') {
      child.send('go', () => {
        if (child.connected) child.disconnect();
      });
      return;
    }

    const port: unknown = (message as {readonly port?: unknown} | null)?.port;
    if (!(handle instanceof Server) || typeof port !== 'number') return;
    const local = entries.find((entry) => entry.isLocal && entry.ports.includes(port));
    if (port === networkProxyPort) proxy.serve(handle);
    else if (local === undefined) handle.close();
    else proxy.forward(handle, {host: local.host.text, port});
  });
}
