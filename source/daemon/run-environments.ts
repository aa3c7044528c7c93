import {createHmac, randomBytes} from 'node:crypto';
import {mkdirSync, rmSync} from 'node:fs';
import path from 'node:path';
import {secretsOf} from '../documents/index.ts';
import {
  runIdIn,
  runsOf,
  wanted,
  type Run,
  type RunEnvironment,
  type State,
} from '../domain/index.ts';
import {readRegularFile, tryReadText, writeWhole} from '../files/index.ts';
import {namesIn} from './names-in.ts';

export type Variables = Readonly<Record<string, string>>;

/** The values of what runs were asked for in: private files of the daemon's, of which the journal has the names and hashes. */
export type RunEnvironments = {
  /** Durable before it returns: the journal never names what is not there. */
  readonly keep: (variables: Variables, from: RunEnvironment['from']) => RunEnvironment;
  /** The hash of each variable, as `keep` would make it; nothing is kept. */
  readonly describe: (variables: Variables) => RunEnvironment['variables'];
  /** Throws with what to do when the file is gone or was changed. Nothing for a run of an older journal. */
  readonly valuesOf: (run: Run) => Variables | undefined;
  /** What of all this nobody may read in a prompt or in the journal. */
  readonly secrets: () => readonly string[];
  /** What was kept is in the journal, or was refused. */
  readonly release: (hash: string) => void;
  /** Removes the values of runs that are over and of environments that were renewed. */
  readonly sweep: () => void;
};

export type RunEnvironmentsOptions = {
  readonly stateDirectory: string;
  /** The name of the journal: what another one keeps is not ours to remove. */
  readonly journal: string;
  readonly state: () => State;
  readonly log: (line: string) => void;
};

/** More than any system hands to a program. */
export const maxEnvironmentBytes = 16 * 1024 * 1024;

export function createRunEnvironments({
  stateDirectory,
  journal,
  state,
  log,
}: RunEnvironmentsOptions): RunEnvironments {
  const directory = path.join(stateDirectory, 'environments');
  // Read at first use: a daemon that keeps sessions only needs none.
  let known: string | undefined;
  const key = (): string => (known ??= ensureKey(directory));
  const fileOf = (hash: string): string => path.join(directory, `${journal}-${hash}.json`);
  // What a session may still say after its run's file is gone; by hash.
  const secretsByHash = new Map<string, readonly string[]>();
  // Kept, and not in the journal yet.
  const pending = new Map<string, number>();

  const read = ({id, environment}: Pick<Run, 'id' | 'environment'>): Variables | undefined => {
    if (environment === undefined) return undefined;
    const reading = readRegularFile(fileOf(environment.hash), {maxBytes: maxEnvironmentBytes});
    if (reading.at !== 'read')
      throw new Error(
        troubleOf(id, `its file ${reading.why === 'missing' ? 'is missing' : reading.message}`),
      );
    const variables = parseVariables(reading.bytes.toString('utf8'));
    if (variables === undefined || hashOf(key(), variables) !== environment.hash)
      throw new Error(
        troubleOf(id, 'its file was changed: it does not fit the hash in the journal'),
      );
    secretsByHash.set(environment.hash, secretsOf(variables));
    return variables;
  };

  const describe = (variables: Variables): RunEnvironment['variables'] =>
    entriesIn(variables).map(([name, value]) => ({
      name,
      hash: hmac(key(), `${name}\0${value}`).slice(0, 16),
    }));

  return {
    describe,
    keep: (variables, from) => {
      const hash = hashOf(key(), variables);
      mkdirSync(directory, {recursive: true, mode: 0o700});
      writeWhole(fileOf(hash), JSON.stringify({version: 1, variables}), {
        mode: 0o600,
        isDurable: true,
      });
      secretsByHash.set(hash, secretsOf(variables));
      pending.set(hash, (pending.get(hash) ?? 0) + 1);
      return {from, hash, variables: describe(variables)};
    },
    valuesOf: read,
    secrets: () => {
      for (const run of runsOf(state())) {
        if (run.environment === undefined || secretsByHash.has(run.environment.hash) || isOver(run))
          continue;
        try {
          read(run);
        } catch {
          // Its sessions are in trouble for it; there is nothing to redact by.
          secretsByHash.set(run.environment.hash, []);
        }
      }

      return [...new Set([...secretsByHash.values()].flat())];
    },
    release: (hash) => {
      const left = (pending.get(hash) ?? 0) - 1;
      if (left > 0) pending.set(hash, left);
      else pending.delete(hash);
    },
    sweep: () => {
      const needed = neededHashes(state());
      for (const name of namesIn(directory)) {
        const hash = name.startsWith(`${journal}-`)
          ? /^([\da-f]{64})\.json$/.exec(name.slice(journal.length + 1))?.[1]
          : undefined;
        if (hash === undefined || needed.has(hash) || pending.has(hash)) continue;
        try {
          rmSync(path.join(directory, name), {force: true});
        } catch (error) {
          log(
            `an environment that nobody needs is still on disk: ${error instanceof Error ? error.message : String(error)}`,
          );
        }
      }
    },
  };
}

/** Of runs that are not over, and of those for which something is still to be done: their sessions may still speak. */
function neededHashes(state: State): ReadonlySet<string> {
  const busy = new Set(
    wanted(state).flatMap(({run, task}) => run ?? (task === undefined ? [] : runIdIn(task))),
  );
  return new Set(
    runsOf(state).flatMap((run) =>
      run.environment !== undefined && (!isOver(run) || busy.has(run.id))
        ? run.environment.hash
        : [],
    ),
  );
}

function isOver({stage}: Pick<Run, 'stage'>): boolean {
  return stage.at === 'accepted' || stage.at === 'discarded';
}

function troubleOf(run: string, why: string): string {
  return `the environment that ${run} was asked for in cannot be used: ${why}. Nothing is started in another one. Renew it from a shell that has what ${run} needs: orchestra env refresh ${run}. Then go on: orchestra resume`;
}

/** Made once; whoever loses it has to renew the environments of all runs. */
function ensureKey(directory: string): string {
  const file = path.join(directory, 'key');
  const kept = (tryReadText(file, {maxBytes: 4096}) ?? '').trim();
  if (kept !== '') return kept;
  const made = randomBytes(32).toString('hex');
  mkdirSync(directory, {recursive: true, mode: 0o700});
  writeWhole(file, made, {mode: 0o600, isDurable: true});
  return made;
}

function entriesIn(variables: Variables): [string, string][] {
  return Object.entries(variables).sort(([one], [other]) => (one < other ? -1 : 1));
}

function hashOf(key: string, variables: Variables): string {
  return hmac(key, JSON.stringify(entriesIn(variables)));
}

function hmac(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/** What is in a file of ours; nothing for what is none. */
export function parseVariables(text: string): Variables | undefined {
  try {
    const {variables} = JSON.parse(text) as {readonly variables?: unknown};
    if (typeof variables !== 'object' || variables === null) return undefined;
    return Object.values(variables).every((value) => typeof value === 'string')
      ? (variables as Variables)
      : undefined;
  } catch {
    return undefined;
  }
}
