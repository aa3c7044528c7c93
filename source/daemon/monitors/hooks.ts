import path from 'node:path';
import {spawn} from 'node:child_process';
import {accessSync, constants, lstatSync} from 'node:fs';
import {sanitizeText} from '../../shared/index.ts';
import {cookieName} from '../../system/index.ts';
import {
  type Event,
  findAgentWorktree,
  type Need,
  type RunId,
  runIdIn,
  selectNeeds,
  type State,
} from '../../domain/index.ts';
import {getRealPath} from '../../config/index.ts';

export type UserProgramResult = {readonly isOk: boolean; readonly text: string};

export type UserProgramOptions = {
  /** Its standard input, as JSON. */
  readonly input: object;
  /** Its name in messages: `the hook on-need`. */
  readonly what: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /**
   * The session cookie that identifies the program and its children, so that they cannot act as the
   * person.
   */
  readonly mark: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
};

const maxTextLength = 4000;

/**
 * Runs a program of the person's, a hook or a notification command, and returns its output. Never
 * rejects.
 */
export function runUserProgram(
  [file = '', ...argv]: readonly string[],
  {input, what, cwd, env, mark, timeoutMs, signal}: UserProgramOptions,
): Promise<UserProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(file, argv, {
      cwd,
      env: {...env, [cookieName]: mark},
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      ...(signal === undefined ? {} : {signal}),
    });
    let text = '';
    const onOutput = (chunk: Buffer): void => {
      if (text.length < maxTextLength) text += chunk.toString('utf8');
    };
    const end = (isOk: boolean, more = ''): void => {
      clearTimeout(timeout);
      resolve({isOk, text: sanitizeText(`${text}${more}`).trim().slice(0, maxTextLength)});
    };
    const timeout = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      end(false, `\n${what} took longer than ${timeoutMs / 1000} s`);
    }, timeoutMs);
    child.stdout.on('data', onOutput);
    child.stderr.on('data', onOutput);
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(input));
    child.once('error', (error) => {
      end(false, error.message);
    });
    // Not `close`: background processes of the program must not delay the daemon.
    child.once('exit', (code, by) => {
      setImmediate(() => {
        end(code === 0, code === 0 ? '' : `\n${what} exited with ${code ?? by ?? 'no status'}`);
      });
    });
  });
}

/** `before-…` hooks can reject; the others are only notified. */
export type HookName =
  'after-plan' | 'before-work' | 'after-attempt' | 'after-validate' | 'before-accept' | 'on-need';

export type HookOptions = {
  /** The person's own checkout: hooks in an agent's worktree are not run. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly hookMark: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
};

const defaultTimeoutMs = 60_000;

/**
 * Runs the person's hook `.orchestra/hooks/<name>` with JSON on its standard input. Undefined if
 * there is none.
 */
export async function runHook(
  name: HookName,
  data: object,
  {root, env, hookMark, signal, timeoutMs = defaultTimeoutMs}: HookOptions,
): Promise<UserProgramResult | undefined> {
  const file = path.join(root, '.orchestra', 'hooks', name);
  if (!isRunnable(file)) return undefined;
  return runUserProgram([file], {
    input: {hook: name, ...data},
    what: `the hook ${name}`,
    cwd: root,
    env,
    mark: hookMark,
    timeoutMs,
    ...(signal === undefined ? {} : {signal}),
  });
}

/**
 * Only an executable file that nobody else may write to, and that no link leads to an agent's
 * worktree.
 */
function isRunnable(file: string): boolean {
  try {
    const facts = lstatSync(file);
    accessSync(file, constants.X_OK);
    return (
      facts.isFile() &&
      (facts.mode & 0o022) === 0 &&
      findAgentWorktree(getRealPath(file)) === undefined
    );
  } catch {
    return false;
  }
}

export type HookNotification = Omit<HookOptions, 'env'> & {
  readonly log: (line: string) => void;
  readonly isOld: (event: Event) => boolean;
  /** The state at startup: the daemon before has notified of its needs. */
  readonly before: State;
  /** The environment of a hook about this run, or about no run. */
  readonly envOf: (run: RunId | undefined) => HookOptions['env'];
  /** Called once for each need, beside the hook. */
  readonly notify: (need: Need, state: State) => void;
};

/** Runs the hooks that cannot reject, after the event and in order. Their errors are logged. */
export function createHookNotifier(
  options: HookNotification,
): (event: Event, state: State) => void {
  let turn: Promise<unknown> = Promise.resolve();
  let knownNeeds = new Set(selectNeeds(options.before).map(({id}) => id));
  const notify = (name: HookName, data: object, run: RunId | undefined): void => {
    turn = turn
      .then(() => runHook(name, data, {...options, env: options.envOf(run)}))
      .then(
        (end) => {
          if (end !== undefined && !end.isOk) options.log(`hook ${name}: ${end.text}`);
        },
        (error: unknown) => {
          options.log(`hook ${name}: ${String(error)}`);
        },
      );
  };

  return (event, state) => {
    const needs = selectNeeds(state);
    const fresh = needs.filter(({id}) => !knownNeeds.has(id));
    knownNeeds = new Set(needs.map(({id}) => id));
    if (options.isOld(event)) return;
    const name = toHookName(event);
    if (name !== undefined) notify(name, {event}, runIn(event));
    for (const need of fresh) {
      notify('on-need', {need}, runIn(need));
      options.notify(need, state);
    }
  };
}

/** The run that an event or a need is about, if any. */
function runIn(about: Event | Need): RunId | undefined {
  if ('run' in about) return about.run;
  return 'task' in about ? runIdIn(about.task) : undefined;
}

function toHookName({type}: Event): HookName | undefined {
  switch (type) {
    case 'plan-received':
    case 'plan-edited':
      return 'after-plan';
    case 'agent-finished':
    case 'agent-gave-up':
    case 'agent-failed':
      return 'after-attempt';
    case 'change-validated':
    case 'attempt-failed':
      return 'after-validate';
    default:
      return undefined;
  }
}
