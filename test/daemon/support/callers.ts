import path from 'node:path';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {eventually} from '../../support/eventually.ts';
import {type DaemonFixture, launcher, type Outcome} from './daemon-fixture.ts';

type Fixture = Pick<DaemonFixture, 'home' | 'root' | 'env'>;

/**
 * How a command reaches the daemon without a terminal, or with one that somebody else holds.
 * `$ORCHESTRA` is the command.
 */
export type Way = {readonly name: string; readonly script: string};

/**
 * What a person's programs do. Each of them has a living line of parents up to the test, which is
 * older than every session.
 */
export const provable: readonly Way[] = [
  {name: 'a script', script: 'eval "$ORCHESTRA"'},
  {name: 'setsid', script: 'setsid -w sh -c "$ORCHESTRA"'},
  {name: 'nohup', script: 'nohup sh -c "$ORCHESTRA" < /dev/null'},
  {
    name: 'a job of cron',
    script:
      'setsid -w env -i HOME="$HOME" PATH="$PATH" XDG_STATE_HOME="$XDG_STATE_HOME" XDG_RUNTIME_DIR="$XDG_RUNTIME_DIR" sh -c "$ORCHESTRA"',
  },
  {
    name: 'a login with a terminal of its own',
    script: 'script -qec "setsid -w sh -c \\"$ORCHESTRA\\"" /dev/null < /dev/null',
  },
  {
    name: 'a runner whose steps come one after the other',
    script:
      'setsid -w sh -c "true; setsid -w sh -c true; setsid -w sh -c \\"$ORCHESTRA\\"; exit \\$?"',
  },
];

/** Runs a command of orchestra in that way, in the checkout, and gives its end. */
export async function call(
  fixture: Fixture,
  {script}: Way,
  ...argv: readonly string[]
): Promise<Outcome> {
  const {child, outcome} = prepare(fixture, script, argv);
  const [code] = (await once(child, 'exit')) as [number | null];
  return {...outcome(), code};
}

/**
 * The same from a process that has lost everybody who started it: it may be a person's, and looks
 * as what an agent left.
 */
export async function callAsOrphan(fixture: Fixture, ...argv: readonly string[]): Promise<Outcome> {
  const {child, outcome, directory} = prepare(
    fixture,
    '(setsid sh -c \'until [ -e "$DIRECTORY/go" ]; do sleep 0.02; done; sh -c "$ORCHESTRA"; echo $? > "$DIRECTORY/code.tmp"; mv "$DIRECTORY/code.tmp" "$DIRECTORY/code"\' < /dev/null > /dev/null 2>&1 &)',
    argv,
  );
  await once(child, 'exit');
  // Only now nobody is left between it and whoever adopts it.
  writeFileSync(path.join(directory, 'go'), '');
  const code = await eventually(
    `orchestra ${argv.join(' ')} has ended`,
    () =>
      existsSync(path.join(directory, 'code')) &&
      readFileSync(path.join(directory, 'code'), 'utf8'),
  );
  return {...outcome(), code: Number(code)};
}

function prepare(
  {home, root, env}: Fixture,
  script: string,
  argv: readonly string[],
): {
  readonly child: ReturnType<typeof spawn>;
  readonly directory: string;
  readonly outcome: () => Omit<Outcome, 'code'>;
} {
  const directory = mkdtempSync(path.join(home, 'call-'));
  const [out, err] = [path.join(directory, 'out'), path.join(directory, 'err')];
  const text = [process.execPath, launcher, ...argv].map((word) => `'${word}'`).join(' ');
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: root,
    stdio: 'ignore',
    env: {...env, DIRECTORY: directory, ORCHESTRA: `${text} > ${out} 2> ${err}`},
  });
  return {
    child,
    directory,
    outcome: () => ({out: readFileSync(out, 'utf8'), err: readFileSync(err, 'utf8')}),
  };
}
