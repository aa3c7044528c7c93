import process from 'node:process';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {errorText, pluralize, sanitizeText} from '../shared/index.ts';
import {formatAge} from '../reports/index.ts';
import {readSystem} from '../system/index.ts';
import {explainCrashes, readCrashes} from './count-crashes.ts';
import {resolveRepoPaths} from './repo-paths.ts';
import {type CliContext, type ExitCode, variablesIn, version} from './cli-context.ts';
import {connectIfRunning, startAndConnect} from './with-daemon.ts';

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

/** The daemon exits after an hour without sessions and clients. */
const idleMs = 60 * 60 * 1000;

/**
 * For memory cleanup; the mid-tier compiler gains a keeper nothing, but costs 0.2 MB of its own and
 * 3 MB of Node's file pages.
 */
const keeperFlags = ['--expose-gc', '--no-maglev'];

/**
 * The proxy only passes bytes: a small young generation is enough, and the mid-tier compiler gains
 * nothing.
 */
const networkFlags = ['--max-semi-space-size=1', '--no-maglev'];

/** Runs the daemon in the foreground. Clients start it with this command. */
export async function daemonRun({env, cwd}: CliContext): Promise<ExitCode> {
  const {runDaemon} = await import('../daemon/index.ts');
  const repoPaths = resolveRepoPaths({env, cwd});
  process.title = 'orchestrad';
  const keeper = fileURLToPath(new URL('keeper.cjs', import.meta.url));
  const network = fileURLToPath(new URL('network.cjs', import.meta.url));
  const log = (line: string): void =>
    void process.stderr.write(
      `${new Date().toISOString()} ${sanitizeText(line).replaceAll('\n', ' ')}\n`,
    );
  const outcome = await runDaemon({
    root: repoPaths.root,
    stateDirectory: repoPaths.stateDirectory,
    runtimeDirectory: repoPaths.runtimeDirectory,
    socket: repoPaths.socket,
    formerLock: repoPaths.formerLock,
    build: version,
    uid: repoPaths.account.uid,
    home: repoPaths.account.homedir,
    commonDirectory: repoPaths.commonDirectory,
    ownProgram: [process.execPath, process.argv[1] ?? ''],
    keeperProgram: [process.execPath, ...keeperFlags, keeper],
    networkProgram: [process.execPath, ...networkFlags, network],
    idleMs: Number(env['ORCHESTRA_IDLE_MS'] ?? idleMs),
    bootId: readSystem().bootId ?? 'unknown',
    env: variablesIn({env}),
    now: Date.now,
    log,
  }).catch((error: unknown) => {
    log(errorText(error));
    return 'failed' as const;
  });
  if (outcome === 'already') log('another daemon serves this repository');
  return outcome === 'failed' ? 1 : 0;
}

type Options = {readonly json?: boolean};

type StartOptions = Options & {readonly trustServices?: boolean};

/** Also an environment variable, for a daemon that another command starts. */
const trustName = 'ORCHESTRA_TRUST_SERVICES';

function trusting({trustServices}: StartOptions, cli: CliContext): CliContext {
  return trustServices === true ? {...cli, env: {...cli.env, [trustName]: '1'}} : cli;
}

/** Reports when the requested trust is not in effect. */
function printTrust(
  {trustServices}: StartOptions,
  {trust}: Answer,
  isRunning: boolean,
  {err}: CliContext,
): ExitCode {
  if (trustServices !== true || trust?.services === true) return 0;
  const why = isRunning
    ? 'the daemon is already running, and the option only works at its start: orchestra daemon restart --trust-services'
    : (trust?.why ?? 'this daemon does not support it');
  err(`orchestra: services are not trusted: ${why}\n`);
  return 1;
}

export async function daemonStart(options: StartOptions, cli: CliContext): Promise<ExitCode> {
  const repoPaths = resolveRepoPaths(cli);
  const running = await connectIfRunning(repoPaths);
  const daemon =
    running ?? (await startAndConnect(repoPaths, trusting(options, cli), {isAsked: true}));
  const {pid} = daemon.welcome;
  cli.out(
    options.json === true
      ? `${JSON.stringify({pid, started: running === undefined})}\n`
      : `${running === undefined ? 'started' : 'already running'}: pid ${pid}\n`,
  );
  const code = printTrust(
    options,
    (await daemon.ask({about: 'daemon'})) as Answer,
    running !== undefined,
    cli,
  );
  daemon.close();
  return code;
}

/** Stops the daemon. Sessions keep running, and the next command finds them. */
export async function daemonStop(options: Options, cli: CliContext): Promise<ExitCode> {
  const daemon = await connectIfRunning(resolveRepoPaths(cli));
  if (daemon === undefined) {
    cli.out(
      options.json === true ? `${JSON.stringify({stopped: false})}\n` : 'no daemon is running\n',
    );
    return 0;
  }

  const {sessions} = (await daemon.ask({about: 'daemon'})) as Answer;
  await daemon.ask({about: 'stop-daemon'});
  await daemon.ended;
  cli.out(
    options.json === true
      ? `${JSON.stringify({stopped: true, sessions})}\n`
      : `stopped${sessions === 0 ? '' : `; ${sessions} ${sessions === 1 ? 'session keeps' : 'sessions keep'} running`}\n`,
  );
  return 0;
}

/** Replaces the daemon by a new one; sessions keep running. */
export async function daemonRestart(options: StartOptions, cli: CliContext): Promise<ExitCode> {
  const repoPaths = resolveRepoPaths(cli);
  const old = await connectIfRunning(repoPaths).catch(() => undefined);
  if (old !== undefined) {
    await old.ask({about: 'stop-daemon'});
    await old.ended;
  }

  const daemon = await startAndConnect(repoPaths, trusting(options, cli), {isAsked: true});
  const answer = (await daemon.ask({about: 'daemon'})) as Answer;
  const {sessions} = answer;
  const {pid} = daemon.welcome;
  cli.out(
    options.json === true
      ? `${JSON.stringify({pid, sessions})}\n`
      : `restarted: pid ${pid}, ${pluralize(sessions, 'live session')}\n`,
  );
  daemon.close();
  return printTrust(options, answer, false, cli);
}

export async function daemonStatus(options: Options, cli: CliContext): Promise<ExitCode> {
  const repoPaths = resolveRepoPaths(cli);
  const daemon = await connectIfRunning(repoPaths);
  if (daemon === undefined) {
    const crashes = (await readCrashes(repoPaths, cli)).length;
    const text =
      (await explainCrashes(repoPaths, cli)) ?? 'the next command that needs one starts it';
    cli.out(
      options.json === true
        ? `${JSON.stringify({running: false, crashes, log: path.join(repoPaths.stateDirectory, 'daemon.log')})}\n`
        : `no daemon is running; ${text}\n`,
    );
    return 0;
  }

  const answer = (await daemon.ask({about: 'daemon'})) as Answer;
  daemon.close();
  if (options.json === true) {
    cli.out(`${JSON.stringify({running: true, ...answer})}\n`);
    return 0;
  }

  const {pid, build, since, at, sessions, clients, needs, journal} = answer;
  cli.out(
    `pid ${pid}, version ${build}, up ` +
      `${formatAge(at - since)}\n${pluralize(sessions, 'live session')}, ` +
      `${pluralize(clients, 'client')}, ${pluralize(needs, 'need')}\njournal: ` +
      `${pluralize(journal.events, 'event')}, ` +
      `${journal.mode}${journal.reason === undefined ? '' : `: ${journal.reason}`}\n`,
  );
  if (answer.trust?.services === true)
    cli.out('services and your own sessions are trusted not to send commands in your name\n');
  if (build !== version)
    cli.out(
      `this program is ${version}: \`orchestra daemon restart\` updates the daemon and keeps every session\n`,
    );
  return 0;
}
