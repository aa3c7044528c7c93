import assert from 'node:assert/strict';
import path from 'node:path';
import {createSocket} from 'node:dgram';
import {createServer} from 'node:net';
import type {TestContext} from 'node:test';
import type {Person} from '../sandbox/support/people.ts';
import type {Attack} from './attacks.ts';
import {confine, type Confined} from './confined.ts';
import {listen} from './support.ts';
import {makeShortDirectory} from './short-directory.ts';

export type Target = {
  readonly confined: Confined;
  /** What reached the secret, by any way. */
  readonly reached: readonly string[];
};

/** What an attack aims at, all of it on this machine. */
export async function openTarget(
  t: TestContext,
  person: Person,
  under: Attack['under'],
): Promise<Target> {
  const reached: string[] = [];
  const secret = (way: string): ReturnType<typeof createServer> =>
    createServer((socket) => {
      reached.push(way);
      socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nsaid the secret');
    });
  const listed = createServer((socket) => {
    socket.on('data', () =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello'),
    );
  });
  const port = await listen(t, secret('IPv4'), '0.0.0.0');
  await listen(t, secret('IPv6'), '::1', port);
  const [listedPort, localPort] = [await listen(t, listed), await listen(t, secret('localhost'))];
  const udp = createSocket('udp4', (_message, {port: from}) => {
    reached.push('UDP');
    udp.send('said the secret', from, '127.0.0.1');
  });
  await new Promise<void>((resolve) => {
    udp.bind(0, '127.0.0.1', resolve);
  });
  t.after(() => {
    udp.close();
  });
  const abstract = `orchestra-secret-${process.pid}-${port}`;
  const unlisted = secret('abstract socket');
  await new Promise<void>((resolve) => {
    unlisted.listen(`\0${abstract}`, resolve);
  });
  const file = secret('socket file');
  const socket = path.join(makeShortDirectory(t, person), 's');
  await new Promise<void>((resolve) => {
    file.listen({path: socket, readableAll: true, writableAll: true}, resolve);
  });
  t.after(() => {
    unlisted.close();
    file.close();
  });
  const variables = {
    SECRET: String(port),
    UDP: String(udp.address().port),
    ABSTRACT: `@${abstract}`,
    SOCKET: socket,
    LISTED: String(listedPort),
    LOCAL: String(localPort),
  };
  const confined = confine(t, person, {
    ...(under === 'allow' ? {allow: [`127.0.0.1:${listedPort}`, `localhost:${localPort}`]} : {}),
    sockets: [socket],
    variables,
  });
  return {confined, reached};
}

/** Runs one attack and says what was left of it. */
export async function runAttack(
  {name, script, left}: Attack,
  {confined, reached}: Target,
): Promise<void> {
  const before = reached.length;
  const {stdout, stderr} = await confined.sh(script);
  assert.deepEqual(
    reached.slice(before),
    [],
    `${name}: it reached the secret, and printed ${stdout}`,
  );
  assert.doesNotMatch(stdout, /said the secret/, name);
  assert.match(stdout + stderr, left, name);
}
