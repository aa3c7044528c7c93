import path from 'node:path';
import {existsSync} from 'node:fs';
import {readRegularFile, writeFileAtomic} from '../../files/index.ts';
import type {StarterRules} from '../../app/index.ts';

type FoundCheck = StarterRules['checks'][number];

/** A rules file to begin with, and the checks in it: what this repository already has. */
export function draftStarterRules(root: string): StarterRules {
  const checks = findChecks(root).slice(0, maxChecks);
  return {text: formatStarterRules(checks), checks};
}

/** The whole file is shown before it is written, also in a window of 24 rows. */
const maxChecks = 3;

/** Writes the file that the person has seen. Never over another one. */
export function writeStarterRules(root: string, text: string): void {
  writeFileAtomic(path.join(root, '.rulesfile.md'), text, {
    below: root,
    mode: 'usual',
    isNew: true,
  });
}

function formatStarterRules(checks: readonly FoundCheck[]): string {
  const validation =
    checks.length === 0
      ? [
          '<!-- No test command was found. Name yours:',
          '# 3. Validation',
          '1. The tests pass. `test: make test` -->',
        ]
      : [
          '# 3. Validation',
          ...checks.map(
            ({name, command}, index) => `${index + 1}. ${checkTexts[name]} \`${name}: ${command}\``,
          ),
        ];
  return `${[
    '<!-- For every planner and worker, in this order.',
    'A `code span` at the end enforces a rule. Check',
    'the file with: orchestra rules check -->',
    '',
    '# 1. Hard constraints',
    '- Keep public interfaces as they are.',
    '- Add no dependency unless the task names it.',
    '',
    '# 2. Changes',
    '- Change only what the task needs.',
    '<!-- - Keep changes small. `max-files: 8` -->',
    '',
    ...validation,
  ].join('\n')}\n`;
}

const checkTexts: Readonly<Record<FoundCheck['name'], string>> = {
  test: 'The tests pass.',
  build: 'It builds.',
  lint: 'The linter is content.',
};

/**
 * The commands that prove something here. Only their names come from files of the repository, and
 * only names that are known: what stands in such a file is never a part of a command.
 */
function findChecks(root: string): readonly FoundCheck[] {
  const found = [...checksOfPackage(root), ...checksOfMakefile(root), ...checksOfFiles(root)];
  return checkNames.flatMap((name) => found.find((check) => check.name === name) ?? []);
}

const checkNames = ['test', 'build', 'lint'] as const;

function checksOfPackage(root: string): readonly FoundCheck[] {
  const scripts = readScripts(root);
  const program =
    packageManagers.find(({lock}) => existsSync(path.join(root, lock)))?.program ?? 'npm';
  return checkNames
    .filter((name) => {
      const script = scripts[name];
      // What `npm init` writes always fails.
      return typeof script === 'string' && !script.includes('no test specified');
    })
    .map((name) => ({name, command: `${program} ${name === 'test' ? 'test' : `run ${name}`}`}));
}

const packageManagers = [
  {lock: 'pnpm-lock.yaml', program: 'pnpm'},
  {lock: 'yarn.lock', program: 'yarn'},
] as const;

function readScripts(root: string): Readonly<Record<string, unknown>> {
  try {
    const {scripts} = JSON.parse(readText(root, 'package.json')) as {
      readonly scripts?: Readonly<Record<string, unknown>> | null;
    };
    return scripts ?? {};
  } catch {
    return {};
  }
}

function checksOfMakefile(root: string): readonly FoundCheck[] {
  const text = readText(root, 'Makefile');
  return checkNames
    .filter((name) => new RegExp(`^${name}[ \\t]*:(?!=)`, 'm').test(text))
    .map((name) => ({name, command: `make ${name}`}));
}

function checksOfFiles(root: string): readonly FoundCheck[] {
  return [
    ...(existsSync(path.join(root, 'Cargo.toml')) ? commandsOf('cargo test', 'cargo build') : []),
    ...(existsSync(path.join(root, 'go.mod')) ? commandsOf('go test ./...', 'go build ./...') : []),
    ...(existsSync(path.join(root, 'pytest.ini')) ||
    readText(root, 'pyproject.toml').includes('[tool.pytest')
      ? commandsOf('pytest')
      : []),
  ];
}

function commandsOf(test: string, build?: string): readonly FoundCheck[] {
  return [
    {name: 'test', command: test},
    ...(build === undefined ? [] : [{name: 'build', command: build} as const]),
  ];
}

/** Empty if there is no such regular file. */
function readText(root: string, name: string): string {
  const reading = readRegularFile(path.join(root, name), {
    maxBytes: 1024 * 1024,
    below: root,
    links: 'inside',
  });
  return reading.at === 'refused' ? '' : new TextDecoder().decode(reading.bytes);
}
