import process from 'node:process';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {sanitizeText} from '../base/index.ts';
import {ageOf} from '../documents/index.ts';
import {readSystem} from '../machine/index.ts';
import {crashesInWords, crashesOf} from './crashes-of.ts';
import {findHere} from './here.ts';
import {variablesIn} from './variables-in.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {version} from './version.ts';
import {reach, start} from './with-daemon.ts';

type Answer = {
  readonly pid: number;
  readonly build: string;
  readonly since: number;
  readonly at: number;
  readonly sessions: number;
  readonly clients: number;
  readonly needs: number;
  readonly trust?: {readonly services: boolean; readonly why?: string};
  readonly journal: {readonly events: number; readonly mode: string; readonly reason?: string};
};

/** An hour with nothing to keep and nobody there. */
const idleMs = 60 * 60 * 1000;

/** So that it can tidy up; and its middle compiler gains it nothing, but takes 0.2 MB of its own and 3 MB of Node's file. */
const keeperFlags = ['--expose-gc', '--no-maglev'];

/** One that passes bytes needs little room for young objects, and gains nothing by the middle compiler. */
const networkFlags = ['--max-semi-space-size=1', '--no-maglev'];

/** The daemon itself, in the foreground. Clients start it like this when there is none. */
export async function daemonRun({env, cwd}: Surroundings): Promise<ExitCode> {
  const {runDaemon} = await import('../daemon/index.ts');
  const here = findHere({env, cwd});
  process.title = 'orchestrad';
  const keeper = fileURLToPath(new URL('keeper.cjs', import.meta.url));
  const network = fileURLToPath(new URL('network.cjs', import.meta.url));
  const log = (line: string): void =>
    void process.stderr.write(
      `${new Date().toISOString()} ${sanitizeText(line).replaceAll('\n', ' ')}\n`,
    );
  const outcome = await runDaemon({
    root: here.root,
    stateDirectory: here.stateDirectory,
    runtimeDirectory: here.runtimeDirectory,
    socket: here.socket,
    formerLock: here.formerLock,
    build: version,
    uid: here.account.uid,
    home: here.account.homedir,
    commonDirectory: here.commonDirectory,
    ownProgram: [process.execPath, process.argv[1] ?? ''],
    keeperProgram: [process.execPath, ...keeperFlags, keeper],
    networkProgram: [process.execPath, ...networkFlags, network],
    idleMs: Number(env['ORCHESTRA_IDLE_MS'] ?? idleMs),
    bootId: readSystem().bootId ?? 'unknown',
    env: variablesIn({env}),
    now: Date.now,
    log,
  }).catch((error: unknown) => {
    log(error instanceof Error ? error.message : String(error));
    return 'failed' as const;
  });
  if (outcome === 'already') log('another daemon serves this repository');
  return outcome === 'failed' ? 1 : 0;
}

type Options = {readonly json?: boolean};

type StartOptions = Options & {readonly trustServices?: boolean};

/** Also in the environment, for a daemon that another command starts. */
const trustName = 'ORCHESTRA_TRUST_SERVICES';

function trusting({trustServices}: StartOptions, surroundings: Surroundings): Surroundings {
  return trustServices === true
    ? {...surroundings, env: {...surroundings.env, [trustName]: '1'}}
    : surroundings;
}

/** What was asked for and is not so must not be believed. */
function tellTrust(
  {trustServices}: StartOptions,
  {trust}: Answer,
  isRunning: boolean,
  {err}: Surroundings,
): ExitCode {
  if (trustServices !== true || trust?.services === true) return 0;
  const why = isRunning
    ? 'the daemon runs already, and only its start can say so: orchestra daemon restart --trust-services'
    : (trust?.why ?? 'this daemon does not know it');
  err(`orchestra: services are not trusted: ${why}\n`);
  return 1;
}

export async function daemonStart(
  options: StartOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const here = findHere(surroundings);
  const running = await reach(here);
  const daemon = running ?? (await start(here, trusting(options, surroundings), {isAsked: true}));
  const {pid} = daemon.welcome;
  surroundings.out(
    options.json === true
      ? `${JSON.stringify({pid, started: running === undefined})}\n`
      : `${running === undefined ? 'started' : 'runs already'}: pid ${pid}\n`,
  );
  const code = tellTrust(
    options,
    (await daemon.ask({about: 'daemon'})) as Answer,
    running !== undefined,
    surroundings,
  );
  daemon.close();
  return code;
}

/** Ends the daemon. Sessions go on, and the next command finds them. */
export async function daemonStop(options: Options, surroundings: Surroundings): Promise<ExitCode> {
  const daemon = await reach(findHere(surroundings));
  if (daemon === undefined) {
    surroundings.out(
      options.json === true ? `${JSON.stringify({stopped: false})}\n` : 'no daemon runs\n',
    );
    return 0;
  }

  const {sessions} = (await daemon.ask({about: 'daemon'})) as Answer;
  await daemon.ask({about: 'stop-daemon'});
  await daemon.ended;
  surroundings.out(
    options.json === true
      ? `${JSON.stringify({stopped: true, sessions})}\n`
      : `stopped${sessions === 0 ? '' : `; ${sessions} ${sessions === 1 ? 'session goes' : 'sessions go'} on without it`}\n`,
  );
  return 0;
}

/** A new daemon in place of the old one; no session notices. */
export async function daemonRestart(
  options: StartOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const here = findHere(surroundings);
  const old = await reach(here).catch(() => undefined);
  if (old !== undefined) {
    await old.ask({about: 'stop-daemon'});
    await old.ended;
  }

  const daemon = await start(here, trusting(options, surroundings), {isAsked: true});
  const answer = (await daemon.ask({about: 'daemon'})) as Answer;
  const {sessions} = answer;
  const {pid} = daemon.welcome;
  surroundings.out(
    options.json === true
      ? `${JSON.stringify({pid, sessions})}\n`
      : `restarted: pid ${pid}, ${sessions} live sessions\n`,
  );
  daemon.close();
  return tellTrust(options, answer, false, surroundings);
}

export async function daemonStatus(
  options: Options,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const here = findHere(surroundings);
  const daemon = await reach(here);
  if (daemon === undefined) {
    const crashes = (await crashesOf(here, surroundings)).length;
    const words =
      (await crashesInWords(here, surroundings)) ?? 'the next command that needs one starts it';
    surroundings.out(
      options.json === true
        ? `${JSON.stringify({running: false, crashes, log: path.join(here.stateDirectory, 'daemon.log')})}\n`
        : `no daemon runs; ${words}\n`,
    );
    return 0;
  }

  const answer = (await daemon.ask({about: 'daemon'})) as Answer;
  daemon.close();
  if (options.json === true) {
    surroundings.out(`${JSON.stringify({running: true, ...answer})}\n`);
    return 0;
  }

  const {pid, build, since, at, sessions, clients, needs, journal} = answer;
  surroundings.out(
    `pid ${pid}, version ${build}, up ${ageOf(at - since)}\n${sessions} live sessions, ${clients} clients, ${needs} needs\njournal: ${journal.events} events, ${journal.mode}${journal.reason === undefined ? '' : `: ${journal.reason}`}\n`,
  );
  if (answer.trust?.services === true)
    surroundings.out('services and your own sessions are trusted not to ask in your name\n');
  if (build !== version)
    surroundings.out(
      `this program is ${version}: \`orchestra daemon restart\` brings the daemon up to it and keeps every session\n`,
    );
  return 0;
}
