import {maxVariants} from '../../plan/index.ts';
import {shortName} from '../../shared/index.ts';
import {UsageError} from '../repo-paths.ts';

/** As given on the command line: `--tries 3`, `--agents claude,codex`. */
export type TriesOptions = {readonly tries?: string; readonly agents?: string};

/**
 * The agent of each variant. An empty name is the run's own agent. Undefined without either option.
 * With more tries than agents, the agents take turns.
 */
export function parseTries({tries, agents}: TriesOptions): readonly string[] | undefined {
  if (tries === undefined && agents === undefined) return undefined;
  const names = agents?.split(',').map((name) => name.trim()) ?? [''];
  const wrong = agents === undefined ? undefined : names.find((name) => !shortName.test(name));
  if (wrong !== undefined)
    throw new UsageError(
      `expected names of agents after --agents, such as claude,codex, got ${JSON.stringify(agents)}`,
    );
  const count = tries === undefined ? names.length : Number(tries);
  if (!Number.isInteger(count) || count < 2 || count > maxVariants)
    throw new UsageError(
      tries === undefined
        ? `expected two to ${maxVariants} agents after --agents, such as claude,codex, got ` +
            `${names.length}${count === 1 ? '. For several tries of one agent add --tries' : ''}`
        : `expected --tries from 2 to ${maxVariants}, got ${JSON.stringify(tries)}`,
    );
  if (count < names.length)
    throw new UsageError(
      `expected at least --tries ${names.length} for ${names.length} agents, got ${count}`,
    );
  return Array.from({length: count}, (_, index) => names[index % names.length] ?? '');
}
