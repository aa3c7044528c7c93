// `npm run module-graph`: writes the table of modules and what each imports into ARCHITECTURE.md,
// from the source itself.
import path from 'node:path';
import ts from 'typescript';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';

const root = path.join(import.meta.dirname, '..');
const marks = [
  '<!-- modules: written by npm run module-graph -->',
  '<!-- end of modules -->',
] as const;

type Module = {
  readonly name: string;
  /** The first sentence of the charter in `index.ts`. */
  readonly charter: string;
  readonly imports: readonly string[];
};

/** ARCHITECTURE.md with the table as it must be. */
export function withModuleTable(page: string, modules: readonly Module[]): string {
  const [start, end] = [page.indexOf(marks[0]), page.indexOf(marks[1])];
  if (start === -1 || end === -1)
    throw new Error(`ARCHITECTURE.md needs the marks ${marks.join(' and ')}`);
  return `${page.slice(0, start + marks[0].length)}\n\n${formatModules(modules)}\n\n${page.slice(end)}`;
}

export function readModules(): readonly Module[] {
  const source = path.join(root, 'source');
  const names = readdirSync(source, {withFileTypes: true})
    .filter((entry) => entry.isDirectory())
    .map(({name}) => name);
  return names.map((name) => {
    const files = readdirSync(path.join(source, name), {recursive: true, encoding: 'utf8'})
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => path.join(name, file));
    const imports = new Set(files.flatMap((file) => importedModules(source, file)));
    imports.delete(name);
    return {
      name,
      charter: firstSentence(readFileSync(path.join(source, name, 'index.ts'), 'utf8')),
      imports: [...imports].toSorted(),
    };
  });
}

function importedModules(source: string, file: string): string[] {
  const {importedFiles} = ts.preProcessFile(readFileSync(path.join(source, file), 'utf8'));
  return importedFiles
    .filter(({fileName}) => fileName.startsWith('.'))
    .map(({fileName}) => path.join(path.dirname(file), fileName).split(path.sep)[0] ?? '');
}

function firstSentence(index: string): string {
  const charter = /^\/\*\*(?<text>[\s\S]*?)\*\//.exec(index)?.groups?.['text'] ?? '';
  const text = charter.replaceAll(/\s*\n\s*\*\s?/g, ' ').trim();
  return (text.split(/(?<=\.)\s/, 1)[0] ?? '').trim();
}

/** What imports nothing comes first; each module stands below everything that it imports. */
function formatModules(modules: readonly Module[]): string {
  const byName = new Map(modules.map((module) => [module.name, module]));
  const levels = new Map<string, number>();
  const levelOf = (name: string): number => {
    const known = levels.get(name);
    if (known !== undefined) return known;
    const below = (byName.get(name)?.imports ?? []).map((imported) => levelOf(imported));
    const level = below.length === 0 ? 0 : Math.max(...below) + 1;
    levels.set(name, level);
    return level;
  };

  const rows = modules
    .toSorted((a, b) => levelOf(a.name) - levelOf(b.name) || a.name.localeCompare(b.name))
    .map(
      ({name, charter, imports}) =>
        `| ${levelOf(name)} | \`${name}\` | ${charter} | ${imports.join(', ') || '–'} |`,
    );
  return ['| level | module | what it holds | imports |', '|---|---|---|---|', ...rows].join('\n');
}

if (process.argv[1] === import.meta.filename) {
  const file = path.join(root, 'ARCHITECTURE.md');
  writeFileSync(file, withModuleTable(readFileSync(file, 'utf8'), readModules()));
}
