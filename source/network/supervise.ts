import {spawn, type ChildProcess} from 'node:child_process';
import {openSync, readFileSync} from 'node:fs';
import {Server, createServer} from 'node:net';
import {type NetworkEntry, networkProxyPort, parseNetworkEntries} from '../shared/index.ts';
import {createProxy, type Proxy} from './create-proxy.ts';
import {createRefusals, showOnTerminal} from './refusals.ts';
import {realOutside} from './open-target.ts';
import type {SupervisorOrders} from './supervised.ts';

/**
 * Signals that a terminal sends to its foreground group, or that begin a stop: they are meant for
 * the program inside.
 */
const ignoredSignals = [
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
 * Starts a sandbox on the terminal of this process, runs its proxy, and exits as it did. Killing
 * this process ends the sandbox (`--die-with-parent`); the daemon is not involved.
 */
export function supervise(ordersFile: string, argv: readonly string[]): void {
  const ignore = (): void => undefined;
  for (const signal of ignoredSignals) process.on(signal, ignore);
  const orders = JSON.parse(readFileSync(ordersFile, 'utf8')) as SupervisorOrders;
  const entries = parseNetworkEntries(orders.allow);
  const refusals = createRefusals({
    file: orders.refusals,
    show: orders.shows ? showOnTerminal : ignore,
  });
  const proxy = createProxy({entries, outside: realOutside, onBlocked: refusals.add});
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
    for (const name of ignoredSignals) process.off(name, ignore);
    process.kill(process.pid, signal);
  });
  takeSockets(child, proxy, entries);
}

/**
 * The bridge inside sends one listening socket after another, then a final message; after that
 * nothing inside can send to us.
 */
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

/**
 * Runs inside of the sandbox, before its program: listens on the loopback of the sandbox's network
 * and sends the sockets to the supervisor, which accepts and answers. Resolves when the supervisor
 * has them all.
 */
export async function bridge(ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    for (const host of ['127.0.0.1', '::1']) {
      const server = await listen(host, port);
      if (server !== undefined) await send({port}, server);
    }
  }

  const answered = new Promise<void>((resolve, reject) => {
    process.once('message', () => {
      resolve();
    });
    process.once('disconnect', () => {
      reject(new Error('the supervisor has gone'));
    });
  });
  await send('done');
  await answered;
}

/** `undefined` where the kernel has no IPv6; IPv4 is required. */
function listen(host: string, port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      if (host === '::1') resolve(undefined);
      else reject(error);
    });
    // Connections are not accepted here: clients wait for the supervisor.
    server.listen({host, port, backlog: 128, ipv6Only: true}, () => {
      resolve(server);
    });
  });
}

function send(message: object | string, server?: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    if (process.send === undefined) reject(new Error('expected to be started by the supervisor'));
    else
      process.send(message, server, {}, (error: Error | null) => {
        if (error === null) resolve();
        else reject(error);
      });
  });
}
