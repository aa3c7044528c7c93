import path from 'node:path';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import {text} from 'node:stream/consumers';
import type {TestContext} from 'node:test';
import {parseNetworkEntries} from '../../source/shared/index.ts';
import {
  bridged,
  filtered,
  inheritedFiles,
  parseRefusals,
  proxyVariables,
  type BlockedRequest,
  supervised,
  type SupervisorOrders,
} from '../../source/network/index.ts';
import {networkOptions, networkSockets, socketFilter} from '../../source/sandbox/index.ts';
import type {Person} from '../sandbox/support/people.ts';
import {createFixture, type Ended, type Fixture} from '../sandbox/support/fixture.ts';

export const networkProgram = [
  process.execPath,
  '--max-semi-space-size=1',
  '--no-maglev',
  path.join(import.meta.dirname, '..', '..', 'dist', 'network.cjs'),
];

/** A worker's sandbox whose network is restricted as the daemon would do it. */
export type Confined = {
  readonly fixture: Fixture;
  readonly env: Readonly<Record<string, string>>;
  readonly argv: (command: readonly string[]) => readonly string[];
  readonly run: (command: readonly string[]) => Promise<Ended>;
  readonly sh: (script: string) => Promise<Ended>;
  readonly rejected: () => readonly BlockedRequest[];
};

export type Confinement = {
  /** Nothing: no network at all. */
  readonly allow?: readonly string[];
  /** Socket files that listen outside. */
  readonly sockets?: readonly string[];
  readonly shows?: boolean;
  readonly variables?: Readonly<Record<string, string>>;
};

export function confine(
  t: TestContext,
  person: Person,
  {allow, sockets = [], shows = false, variables = {}}: Confinement,
): Confined {
  const fixture = createFixture(t, person);
  if (!existsSync(networkProgram.at(-1)!))
    throw new Error('These tests need the bundle. Run: npm run build');
  // Beside what agents see, as the directory of a session is.
  const own = path.join(fixture.state, 'session');
  mkdirSync(own);
  const [filter, orders, refusals] = ['socket-filter', 'network.json', 'network-refused.json'].map(
    (name) => path.join(own, name),
  ) as [string, string, string];
  writeFileSync(filter, socketFilter(process.arch)!);
  writeFileSync(
    orders,
    JSON.stringify({allow: allow ?? [], refusals, shows, filter} satisfies SupervisorOrders),
  );
  copyFileSync(
    path.join(import.meta.dirname, 'programs', 'reach.mjs'),
    path.join(fixture.own, 'reach.mjs'),
  );
  for (const file of [own, filter, orders, path.join(fixture.own, 'reach.mjs')])
    chownSync(file, person.uid, person.uid);
  chmodSync(fixture.state, 0o700);
  const entries = networkSockets(sockets, fixture.worker.hidden);
  const isSupervised = allow !== undefined;
  const policy = {
    ...fixture.worker,
    hidden: [...fixture.worker.hidden, ...entries.hidden],
    options: networkOptions({
      isSupervised,
      filter: inheritedFiles.filter,
      ...(isSupervised ? {variables: proxyVariables()} : {}),
    }),
  };
  const argv = (command: readonly string[]): readonly string[] => {
    if (allow === undefined)
      return [
        ...person.as,
        ...filtered(fixture.argv(command, policy).slice(person.as.length), filter),
      ];
    return [
      ...person.as,
      ...supervised(
        fixture
          .argv(bridged(command, networkProgram, parseNetworkEntries(allow)), policy)
          .slice(person.as.length),
        networkProgram,
        orders,
      ),
    ];
  };

  const env = {
    PATH: '/usr/bin:/bin:/usr/sbin',
    HOME: fixture.home,
    TMPDIR: fixture.temp,
    NODE: process.execPath,
    REACH: `${process.execPath} ${path.join(fixture.own, 'reach.mjs')}`,
    ...variables,
  };
  const run: Confined['run'] = async (command) => {
    const [file = '', ...rest] = argv(command);
    const child = spawn(file, rest, {cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe']});
    const [stdout, stderr, [code, signal]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null, string | null]>,
    ]);
    return {code, signal, stdout, stderr};
  };

  return {
    fixture,
    env,
    argv,
    run,
    sh: (script) => run(['/bin/bash', '-c', script]),
    rejected: () => (existsSync(refusals) ? parseRefusals(readFileSync(refusals, 'utf8')) : []),
  };
}
