import path from 'node:path';
import {readFileSync} from 'node:fs';
import type {Plugin} from 'esbuild';

/**
 * An import through the index of a module becomes an import of the file that the index names.
 * With code splitting esbuild otherwise counts everything that an index names as imported, and
 * `status` loads zod, conf and yaml: docs/decisions/0024-build.md has the figures.
 */
export function importDirectly(source: string): Plugin {
  const entries = new Map<string, ReadonlyMap<string, Export>>();
  const getEntry = (file: string): ReadonlyMap<string, Export> => {
    const known = entries.get(file) ?? readEntry(file);
    entries.set(file, known);
    return known;
  };

  return {
    name: 'direct-imports',
    setup(build) {
      build.onLoad({filter: /\.tsx?$/}, ({path: file}) => {
        if (!file.startsWith(source)) return undefined;
        const contents = readFileSync(file, 'utf8').replaceAll(
          throughEntry,
          (whole, isType: string | undefined, names: string, entry: string) =>
            isType === undefined
              ? (directImports(
                  path.dirname(file),
                  names,
                  getEntry(path.resolve(path.dirname(file), entry)),
                ) ?? whole)
              : '',
        );
        return {contents, loader: file.endsWith('x') ? 'tsx' : 'ts'};
      });
    },
  };
}

type Export = {readonly file: string; readonly name: string};

const throughEntry = /^import (type )?\{([^}]*)\} from '((?:\.\.\/)+[a-z-]+\/index\.ts)';$/gm;
const reexports = /^export \{([^}]*)\} from '(\.\/[^']+)';$/gm;

function readEntry(file: string): ReadonlyMap<string, Export> {
  const exports = readFileSync(file, 'utf8').matchAll(reexports);
  return new Map(
    [...exports].flatMap(([, names = '', target = '']) =>
      valuesIn(names).map(
        ({name, as}) => [as, {file: path.resolve(path.dirname(file), target), name}] as const,
      ),
    ),
  );
}

function directImports(
  directory: string,
  names: string,
  entry: ReadonlyMap<string, Export>,
): string | undefined {
  const found = valuesIn(names).map(({name, as}) => ({as, from: entry.get(name)}));
  if (found.some(({from}) => from === undefined)) return undefined;
  return found
    .map(
      ({as, from}) =>
        `import {${from?.name ?? ''} as ${as}} from '${relative(directory, from?.file ?? '')}';`,
    )
    .join(' ');
}

/** The names that are there at run time, as `name as other` or alone. */
function valuesIn(names: string): {readonly name: string; readonly as: string}[] {
  return names
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith('type '))
    .map((part) => {
      const [name = '', as = name] = part.split(/\s+as\s+/);
      return {name, as};
    });
}

function relative(directory: string, file: string): string {
  const route = path.relative(directory, file);
  return route.startsWith('.') ? route : `./${route}`;
}
