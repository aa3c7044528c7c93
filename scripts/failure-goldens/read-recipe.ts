export type Recipe = {
  /** Run once before the cases, not recorded. */
  readonly setup?: string;
  readonly cases: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, string>;
};

/**
 * A tiny project and the commands that are recorded in it, as one text: lines `case: command`, then
 * the files, each under its line `-- path --` (the txtar format of Go). Kept as text because most
 * of these files are wrong on purpose, and the linter and the compiler of this repository would say
 * so.
 */
export function readRecipe(text: string): Recipe {
  const [head = '', ...parts] = text.split(/^-- (\S+) --\n/m);
  const files = new Map<string, string>();
  for (let index = 0; index < parts.length; index += 2)
    files.set(parts[index] ?? '', parts[index + 1] ?? '');
  const commands = [...head.matchAll(/^(\S+): (.+)$/gm)].map(
    ([, name, command]) => [name ?? '', command ?? ''] as const,
  );
  const setup = commands.find(([name]) => name === 'setup')?.[1];
  return {
    ...(setup !== undefined && {setup}),
    cases: new Map(commands.filter(([name]) => name !== 'setup')),
    files,
  };
}
