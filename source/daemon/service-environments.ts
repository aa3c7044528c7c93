import {mkdirSync, rmSync} from 'node:fs';
import path from 'node:path';
import {secretsOf} from '../documents/index.ts';
import {readRegularFile, writeWhole} from '../files/index.ts';
import {namesIn} from './names-in.ts';
import {maxEnvironmentBytes, parseVariables, type Variables} from './run-environments.ts';

/**
 * What services run in: all of the environment of the shell that asked for one last, or of what wanted it first. It outlives the daemon,
 * so that a service that dies comes back as it was, whoever has started the daemon meanwhile.
 */
export type ServiceEnvironments = {
  readonly keep: (service: string, variables: Variables) => void;
  /** Nothing if none is kept. Throws with what to do when it cannot be read. */
  readonly valuesOf: (service: string) => Variables | undefined;
  readonly secrets: () => readonly string[];
  /** Removes those of all services but these. */
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
  const fileOf = (service: string): string => path.join(directory, `${prefix}${service}.json`);
  const secrets = new Map<string, readonly string[]>();
  const servicesKept = (): string[] =>
    namesIn(directory)
      .filter((name) => name.startsWith(prefix) && name.endsWith('.json'))
      .map((name) => name.slice(prefix.length, -'.json'.length));

  const valuesOf: ServiceEnvironments['valuesOf'] = (service) => {
    const reading = readRegularFile(fileOf(service), {maxBytes: maxEnvironmentBytes});
    if (reading.at !== 'read' && reading.why === 'missing') return undefined;
    const variables =
      reading.at === 'read' ? parseVariables(reading.bytes.toString('utf8')) : undefined;
    if (variables === undefined)
      throw new Error(
        `the environment that ${service} runs in cannot be read. Start it from a shell that has what it needs: orchestra service restart ${service}`,
      );
    secrets.set(service, secretsOf(variables));
    return variables;
  };

  return {
    keep: (service, variables) => {
      mkdirSync(directory, {recursive: true, mode: 0o700});
      writeWhole(fileOf(service), JSON.stringify({version: 1, variables}), {
        mode: 0o600,
        isDurable: true,
      });
      secrets.set(service, secretsOf(variables));
    },
    valuesOf,
    secrets: () => [...secrets.values()].flat(),
    sweep: (wanted) => {
      for (const service of servicesKept()) {
        if (!wanted.includes(service)) rmSync(fileOf(service), {force: true});
        else if (!secrets.has(service))
          secrets.set(service, secretsOf(tryValues(() => valuesOf(service))));
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
