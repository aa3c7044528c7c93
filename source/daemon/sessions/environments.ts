import {errorText} from '../../shared/index.ts';
import path from 'node:path';
import {createHmac, randomBytes} from 'node:crypto';
import {mkdirSync, rmSync} from 'node:fs';
import {findSecrets} from '../../secrets/index.ts';
import {
  type Run,
  type RunEnvironment,
  runIdIn,
  selectRuns,
  type State,
  wanted,
} from '../../domain/index.ts';
import {readRegularFile, tryReadText, writeFileAtomic} from '../../files/index.ts';
import {listOwnNames} from '../directories.ts';

export type Variables = Readonly<Record<string, string>>;

/**
 * The environments that runs were requested from. The values are in private files; the journal has
 * names and hashes only.
 */
export type RunEnvironments = {
  /** Durable before it returns, so that the journal never names a missing environment. */
  readonly keep: (variables: Variables, from: RunEnvironment['from']) => RunEnvironment;
  /** The hash of each variable, without saving anything. */
  readonly describe: (variables: Variables) => RunEnvironment['variables'];
  /**
   * Throws with instructions if the file is missing or was changed. Undefined for a run of an older
   * journal.
   */
  readonly valuesOf: (run: Run) => Variables | undefined;
  /** The secret values, to redact from prompts and the journal. */
  readonly secrets: () => readonly string[];
  /** Call it when a saved environment is journaled or rejected. */
  readonly release: (hash: string) => void;
  /** Removes environments of finished runs and those that were replaced. */
  readonly sweep: () => void;
};

export type RunEnvironmentsOptions = {
  readonly stateDirectory: string;
  /** The name of the journal: files of another one are not removed. */
  readonly journal: string;
  readonly state: () => State;
  readonly log: (line: string) => void;
};

/** More than any system passes to a program. */
export const maxEnvironmentBytes = 16 * 1024 * 1024;

export function createRunEnvironments({
  stateDirectory,
  journal,
  state,
  log,
}: RunEnvironmentsOptions): RunEnvironments {
  const directory = path.join(stateDirectory, 'environments');
  // Read on first use: a daemon that only keeps sessions needs no key.
  let known: string | undefined;
  const key = (): string => (known ??= ensureKey(directory));
  const getFile = (hash: string): string => path.join(directory, `${journal}-${hash}.json`);
  // By hash. Kept after the file is removed: a session may still print a secret.
  const secretsByHash = new Map<string, readonly string[]>();
  // Saved but not journaled yet, with the number of uses.
  const pending = new Map<string, number>();

  const read = ({id, environment}: Pick<Run, 'id' | 'environment'>): Variables | undefined => {
    if (environment === undefined) return undefined;
    const reading = readRegularFile(getFile(environment.hash), {maxBytes: maxEnvironmentBytes});
    if (reading.at !== 'read')
      throw new Error(
        formatTrouble(id, `its file ${reading.why === 'missing' ? 'is missing' : reading.message}`),
      );
    const variables = parseVariables(reading.bytes.toString('utf8'));
    if (variables === undefined || hashVariables(key(), variables) !== environment.hash)
      throw new Error(
        formatTrouble(id, 'its file was changed: it does not match the hash in the journal'),
      );
    secretsByHash.set(environment.hash, findSecrets(variables));
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
      const hash = hashVariables(key(), variables);
      mkdirSync(directory, {recursive: true, mode: 0o700});
      writeFileAtomic(getFile(hash), JSON.stringify({version: 1, variables}), {
        mode: 0o600,
        isDurable: true,
      });
      secretsByHash.set(hash, findSecrets(variables));
      pending.set(hash, (pending.get(hash) ?? 0) + 1);
      return {from, hash, variables: describe(variables)};
    },
    valuesOf: read,
    secrets: () => {
      for (const run of selectRuns(state())) {
        if (run.environment === undefined || secretsByHash.has(run.environment.hash) || isOver(run))
          continue;
        try {
          read(run);
        } catch {
          // Starting its sessions reports the problem; here there is nothing to redact by.
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
      for (const name of listOwnNames(directory)) {
        const hash = name.startsWith(`${journal}-`)
          ? /^([\da-f]{64})\.json$/.exec(name.slice(journal.length + 1))?.[1]
          : undefined;
        if (hash === undefined || needed.has(hash) || pending.has(hash)) continue;
        try {
          rmSync(path.join(directory, name), {force: true});
        } catch (error) {
          log(`an unused environment is still on disk: ${errorText(error)}`);
        }
      }
    },
  };
}

/**
 * Hashes of runs that are not over, or that still have effects: their sessions may still print
 * secrets.
 */
function neededHashes(state: State): ReadonlySet<string> {
  const busy = new Set(
    wanted(state).flatMap(({run, task}) => run ?? (task === undefined ? [] : runIdIn(task))),
  );
  return new Set(
    selectRuns(state).flatMap((run) =>
      run.environment !== undefined && (!isOver(run) || busy.has(run.id))
        ? run.environment.hash
        : [],
    ),
  );
}

function isOver({stage}: Pick<Run, 'stage'>): boolean {
  return stage.at === 'accepted' || stage.at === 'discarded';
}

function formatTrouble(run: string, why: string): string {
  return (
    `the environment of ${run} cannot be used: ${why}. Nothing starts without it. Refresh ` +
    `it from a shell that has what ${run} needs: orchestra env refresh ${run}. Then: ` +
    'orchestra resume'
  );
}

/** Created once. If it is lost, the environments of all runs must be refreshed. */
function ensureKey(directory: string): string {
  const file = path.join(directory, 'key');
  const saved = (tryReadText(file, {maxBytes: 4096}) ?? '').trim();
  if (saved !== '') return saved;
  const made = randomBytes(32).toString('hex');
  mkdirSync(directory, {recursive: true, mode: 0o700});
  writeFileAtomic(file, made, {mode: 0o600, isDurable: true});
  return made;
}

function entriesIn(variables: Variables): [string, string][] {
  return Object.entries(variables).sort(([one], [other]) => (one < other ? -1 : 1));
}

function hashVariables(key: string, variables: Variables): string {
  return hmac(key, JSON.stringify(entriesIn(variables)));
}

function hmac(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/** The variables in a saved file; undefined if it is malformed. */
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

/**
 * The environments of services: that of the shell that started a service last, or of the run that
 * needed it first. They outlive the daemon, so that a service restarts unchanged, whoever has
 * started the daemon meanwhile.
 */
export type ServiceEnvironments = {
  readonly keep: (service: string, variables: Variables) => void;
  /** Undefined if none is saved. Throws with instructions if it cannot be read. */
  readonly valuesOf: (service: string) => Variables | undefined;
  readonly secrets: () => readonly string[];
  /** Removes the environments of all other services. */
  readonly sweep: (wanted: readonly string[]) => void;
};

export function createServiceEnvironments({
  stateDirectory,
  journal,
}: {
  readonly stateDirectory: string;
  readonly journal: string;
}): ServiceEnvironments {
  const directory = path.join(stateDirectory, 'environments');
  const prefix = `${journal}-service-`;
  const getFile = (service: string): string => path.join(directory, `${prefix}${service}.json`);
  const secrets = new Map<string, readonly string[]>();
  const listServices = (): string[] =>
    listOwnNames(directory)
      .filter((name) => name.startsWith(prefix) && name.endsWith('.json'))
      .map((name) => name.slice(prefix.length, -'.json'.length));

  const getValues: ServiceEnvironments['valuesOf'] = (service) => {
    const reading = readRegularFile(getFile(service), {maxBytes: maxEnvironmentBytes});
    if (reading.at !== 'read' && reading.why === 'missing') return undefined;
    const variables =
      reading.at === 'read' ? parseVariables(reading.bytes.toString('utf8')) : undefined;
    if (variables === undefined)
      throw new Error(
        `the environment that ${service} runs in cannot be read. Start it from a shell ` +
          `that has what it needs: orchestra service restart ${service}`,
      );
    secrets.set(service, findSecrets(variables));
    return variables;
  };

  return {
    keep: (service, variables) => {
      mkdirSync(directory, {recursive: true, mode: 0o700});
      writeFileAtomic(getFile(service), JSON.stringify({version: 1, variables}), {
        mode: 0o600,
        isDurable: true,
      });
      secrets.set(service, findSecrets(variables));
    },
    valuesOf: getValues,
    secrets: () => [...secrets.values()].flat(),
    sweep: (wanted) => {
      for (const service of listServices()) {
        if (!wanted.includes(service)) rmSync(getFile(service), {force: true});
        else if (!secrets.has(service))
          secrets.set(service, findSecrets(tryValues(() => getValues(service))));
      }
    },
  };
}

function tryValues(read: () => Variables | undefined): Variables {
  try {
    return read() ?? {};
  } catch {
    return {};
  }
}
