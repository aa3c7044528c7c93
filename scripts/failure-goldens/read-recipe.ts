export type Recipe = {
  /** Packages of npm, installed beside the project. Without it, the ones of all old recipes. */
  readonly npm?: readonly string[];
  /** Packages of Debian that have to be there. */
  readonly debian?: readonly string[];
  /** Run once before the cases, not recorded. */
  readonly setup?: string;
  readonly cases: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, string>;
  /** What a careful engineer names as the first failure, for each case; see the goldens' README. */
  readonly truths: ReadonlyMap<string, string>;
};

const truthFolder = 'truth/';

/**
 * A tiny project and the commands that are recorded in it, as one text: lines `case: command`, then
 * the files, each under its line `-- path --` (the txtar format of Go). Kept as text because most
 * of these files are wrong on purpose, and the linter and the compiler of this repository would say
 * so. The lines `npm:`, `debian:` and `setup:` are no cases, and `-- truth/case --` is no file.
 */
export function readRecipe(text: string): Recipe {
  const [head = '', ...parts] = text.split(/^-- (\S+) --\n/m);
  const sections: (readonly [string, string])[] = [];
  for (let index = 0; index < parts.length; index += 2)
    sections.push([parts[index] ?? '', parts[index + 1] ?? '']);
  const commands = new Map(
    [...head.matchAll(/^(\S+): (.+)$/gm)].map(([, name = '', command = '']) => [name, command]),
  );
  const [npm, debian, setup] = ['npm', 'debian', 'setup'].map((name) => commands.get(name));
  return {
    ...(npm !== undefined && {npm: npm.split(' ')}),
    ...(debian !== undefined && {debian: debian.split(' ')}),
    ...(setup !== undefined && {setup}),
    cases: new Map([...commands].filter(([name]) => !['npm', 'debian', 'setup'].includes(name))),
    files: new Map(sections.filter(([name]) => !name.startsWith(truthFolder))),
    truths: new Map(
      sections
        .filter(([name]) => name.startsWith(truthFolder))
        .map(([name, truth]) => [name.slice(truthFolder.length), truth]),
    ),
  };
}
