import {readFileSync} from 'node:fs';
import path from 'node:path';
import type {Plugin} from 'esbuild';

/**
 * A room is entered by its door, and a door names everything in the room; so whoever wants one thing of a room would load
 * all of it (the tokenizer alone is 2 MB). For the bundle, every import through a door becomes an import of the file
 * that the door names.
 */
export function doorsCostNothing(source: string): Plugin {
  const doors = new Map<string, ReadonlyMap<string, Export>>();
  const doorOf = (file: string): ReadonlyMap<string, Export> => {
    const known = doors.get(file) ?? readDoor(file);
    doors.set(file, known);
    return known;
  };

  return {
    name: 'doors-cost-nothing',
    setup(build) {
      build.onLoad({filter: /\.tsx?$/}, ({path: file}) => {
        if (!file.startsWith(source)) return undefined;
        const contents = readFileSync(file, 'utf8').replaceAll(
          throughDoor,
          (whole, isType: string | undefined, names: string, door: string) =>
            isType === undefined
              ? (directImports(
                  path.dirname(file),
                  names,
                  doorOf(path.resolve(path.dirname(file), door)),
                ) ?? whole)
              : '',
        );
        return {contents, loader: file.endsWith('x') ? 'tsx' : 'ts'};
      });
    },
  };
}

type Export = {readonly file: string; readonly name: string};

const throughDoor = /^import (type )?\{([^}]*)\} from '((?:\.\.\/)+[a-z]+\/index\.ts)';$/gm;
const throughRoom = /^export \{([^}]*)\} from '(\.\/[^']+)';$/gm;

function readDoor(file: string): ReadonlyMap<string, Export> {
  const exports = readFileSync(file, 'utf8').matchAll(throughRoom);
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
  door: ReadonlyMap<string, Export>,
): string | undefined {
  const found = valuesIn(names).map(({name, as}) => ({as, from: door.get(name)}));
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
