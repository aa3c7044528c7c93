import type {Run, RunEnvironment} from '../run.ts';

/** One hash for everything that the sessions of a run get from a shell: equal for equal names and values. Nothing for runs of older journals. */
export function environmentHashOf({environment}: Pick<Run, 'environment'>): string | undefined {
  return environment?.hash;
}

/** Names of which one of the two has another value than the other, or none, sorted. */
export function changedVariables(
  before: RunEnvironment['variables'],
  after: RunEnvironment['variables'],
): readonly string[] {
  const [old, now] = [before, after].map(
    (variables) => new Map(variables.map(({name, hash}) => [name, hash])),
  ) as [Map<string, string>, Map<string, string>];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((name) => old.get(name) !== now.get(name))
    .sort();
}
