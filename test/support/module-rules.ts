import path from 'node:path';
import ts from 'typescript';

/** A source tree as data: path inside `source/` → text. Planted violations are trees too. */
export type SourceTree = ReadonlyMap<string, string>;

export type Violation = {readonly file: string; readonly text: string};

type ModuleRule = {
  readonly mayImport: readonly string[] | 'all';
  /**
   * Packages and Node modules that only this module uses; zod and yaml serve every module that
   * parses a document, execa those that await a program.
   */
  readonly owns: readonly string[];
};

/** What every document module may import. */
const documents = ['shared', 'syntax', 'domain'];

/** The modules of `source/` as data. ARCHITECTURE.md shows the same table. */
export const modules: Readonly<Record<string, ModuleRule>> = {
  cli: {mayImport: 'all', owns: ['commander', 'execa', 'node:*']},
  shared: {mayImport: [], owns: ['@noble/hashes', 'picomatch', 'gpt-tokenizer']},
  files: {
    mayImport: ['shared'],
    owns: ['node:buffer', 'node:crypto', 'node:fs', 'node:fs/promises', 'node:path'],
  },
  domain: {mayImport: ['shared'], owns: []},
  syntax: {mayImport: ['shared', 'domain'], owns: ['yaml']},
  secrets: {mayImport: documents, owns: []},
  rules: {
    mayImport: [...documents, 'secrets'],
    owns: ['mdast-util-from-markdown', 'mdast'],
  },
  plan: {mayImport: [...documents, 'rules'], owns: ['zod', 'yaml']},
  'project-config': {
    mayImport: [...documents, 'secrets', 'rules', 'plan'],
    owns: ['zod', 'yaml'],
  },
  playbook: {mayImport: [...documents, 'rules', 'plan', 'project-config'], owns: ['zod']},
  failures: {mayImport: documents, owns: ['yaml']},
  reports: {
    mayImport: [...documents, 'secrets', 'rules', 'plan', 'project-config', 'failures', 'sandbox'],
    owns: ['yaml'],
  },
  prompts: {
    mayImport: [...documents, 'secrets', 'rules', 'plan', 'project-config', 'reports'],
    owns: [],
  },
  knowledge: {mayImport: [...documents, 'reports'], owns: ['minisearch', 'yaml']},
  agents: {mayImport: ['shared', 'domain'], owns: []},
  'playbook-agent': {
    mayImport: ['shared', 'files', 'domain', 'plan', 'project-config', 'playbook', 'agents'],
    owns: ['execa', 'node:*'],
  },
  'agent-runner': {
    mayImport: ['shared', 'files', 'domain', 'prompts', 'agents'],
    owns: ['node:*'],
  },
  protocol: {mayImport: ['shared', 'domain'], owns: ['node:buffer']},
  journal: {
    mayImport: ['shared', 'domain'],
    owns: ['node:fs', 'node:path', 'node:crypto', 'node:zlib', 'node:buffer'],
  },
  keeper: {mayImport: ['shared', 'protocol'], owns: ['node-pty', 'node:*']},
  network: {mayImport: ['shared', 'domain'], owns: ['node:*']},
  terminal: {mayImport: ['shared', 'domain'], owns: ['@xterm/headless']},
  system: {
    mayImport: ['shared', 'domain'],
    owns: ['node:fs', 'node:fs/promises', 'node:path', 'node:os', 'node:child_process', 'node:net'],
  },
  sandbox: {
    mayImport: ['shared', 'domain'],
    owns: ['@anthropic-ai/sandbox-runtime', 'node:path', 'node:buffer'],
  },
  git: {mayImport: ['shared', 'files', 'domain'], owns: ['simple-git', 'execa', 'node:*']},
  config: {
    mayImport: ['shared', 'files', 'domain'],
    owns: ['conf', 'node:fs', 'node:os', 'node:path'],
  },
  daemon: {
    mayImport: [
      ...documents,
      'files',
      'secrets',
      'rules',
      'plan',
      'project-config',
      'playbook',
      'prompts',
      'failures',
      'knowledge',
      'reports',
      'agents',
      'protocol',
      'journal',
      'keeper',
      'terminal',
      'system',
      'network',
      'sandbox',
      'git',
      'config',
    ],
    // zod checks what arrives at the sockets; no client loads it for that.
    owns: ['zod', 'node:*'],
  },
  client: {mayImport: ['shared', 'domain', 'protocol'], owns: ['node:net']},
  app: {
    mayImport: [
      ...documents,
      'rules',
      'plan',
      'project-config',
      'knowledge',
      'reports',
      'protocol',
      'client',
      'terminal',
    ],
    owns: [
      'ink',
      'react',
      'chalk',
      'diff',
      'cli-boxes',
      'cli-truncate',
      'wrap-ansi',
      'lowlight',
      'highlight.js',
      'node:events',
    ],
  },
  mcp: {
    mayImport: ['shared', 'files', 'domain', 'protocol', 'client'],
    owns: [
      '@modelcontextprotocol/sdk',
      'node:buffer',
      'node:crypto',
      'node:fs',
      'node:path',
      'node:process',
      'node:timers/promises',
    ],
  },
};

/**
 * Files outside of every module. The launcher must parse on any Node, so it imports nothing of
 * ours.
 */
const rootFiles: Readonly<Record<string, ModuleRule>> = {
  'launcher.ts': {
    mayImport: [],
    owns: ['node:child_process', 'node:fs', 'node:path', 'node:url'],
  },
};

/** What makes a function impure; none of these may be used in `domain`. */
const impure = new Set([
  'Date',
  'Math.random',
  'Promise',
  'async',
  'await',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'process',
  'globalThis',
  'crypto',
  'performance',
  'console',
  'require',
]);

export function getViolations(tree: SourceTree): Violation[] {
  return [
    ...unknownFolders(tree),
    ...entries(tree),
    ...imports(tree),
    ...impurities(tree),
    ...cycles(tree),
  ];
}

function unknownFolders(tree: SourceTree): Violation[] {
  const found: Violation[] = [];
  for (const file of tree.keys()) {
    const name = getModule(file);
    if (name === undefined && rootFiles[file] === undefined) {
      found.push({file, text: 'is in no module, and is not launcher.ts'});
    } else if (name !== undefined && modules[name] === undefined) {
      found.push({file, text: `the folder ${name}/ is not in the table of modules`});
    }
  }

  return found;
}

function entries(tree: SourceTree): Violation[] {
  const found: Violation[] = [];
  const present = new Set(
    [...tree.keys()].map((file) => getModule(file)).filter((name) => name !== undefined),
  );
  for (const name of present) {
    const file = `${name}/index.ts`;
    const text = tree.get(file);
    if (text === undefined) {
      found.push({file, text: 'the module has no index.ts'});
      continue;
    }

    const charter = /^\/\*\*(?<words>[\s\S]*?)\*\//.exec(text)?.groups?.['words'] ?? '';
    if (charter.trim() === '') {
      found.push({file, text: 'the index does not begin with its charter'});
    } else if (!charter.includes('Not here:')) {
      found.push({file, text: 'the charter has no "Not here:" line'});
    }
  }

  return found;
}

function imports(tree: SourceTree): Violation[] {
  const found: Violation[] = [];
  for (const [file, text] of tree) {
    const from = getModule(file);
    const rule = from === undefined ? rootFiles[file] : modules[from];
    if (rule === undefined) continue;
    for (const specifier of getSpecifiers(text)) {
      if (!specifier.startsWith('.')) {
        const owner = getPackage(specifier);
        const isOwned =
          rule.owns.includes(owner) || (owner.startsWith('node:') && rule.owns.includes('node:*'));
        if (!isOwned)
          found.push({file, text: `may not use ${owner}: it does not belong to ${from ?? file}`});
        continue;
      }

      const target = resolve(file, specifier);
      const to = getModule(target);
      if (!tree.has(target)) {
        found.push({file, text: `imports ${specifier}, which does not exist`});
      } else if (to === undefined) {
        found.push({
          file,
          text: `may not import ${target}: it is in no module`,
        });
      } else if (to !== from) {
        if (rule.mayImport !== 'all' && !rule.mayImport.includes(to))
          found.push({file, text: `${from ?? file} may not import ${to}`});
        if (target !== `${to}/index.ts`)
          found.push({file, text: `imports ${to} through ${target}, not through its index.ts`});
      }
    }
  }

  return found;
}

function impurities(tree: SourceTree): Violation[] {
  const found: Violation[] = [];
  for (const [file, text] of tree) {
    if (getModule(file) !== 'domain') continue;
    const word = toText(text).find((candidate) => impure.has(candidate));
    if (word !== undefined) found.push({file, text: `is pure and may not use ${word}`});
  }

  return found;
}

function cycles(tree: SourceTree): Violation[] {
  const edges = new Map(
    [...tree].map(([file, text]) => [
      file,
      getSpecifiers(text)
        .filter((s) => s.startsWith('.'))
        .map((s) => resolve(file, s)),
    ]),
  );
  const done = new Set<string>();
  const found: Violation[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start !== -1) {
      found.push({file, text: `import cycle: ${[...trail.slice(start), file].join(' → ')}`});
      return;
    }

    if (done.has(file)) return;
    for (const next of edges.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };

  for (const file of edges.keys()) visit(file, []);
  return found;
}

function getModule(file: string): string | undefined {
  const slash = file.indexOf('/');
  return slash === -1 ? undefined : file.slice(0, slash);
}

function resolve(file: string, specifier: string): string {
  return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
}

function getPackage(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function getSpecifiers(text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map((imported) => imported.fileName);
}

/** The names that the program says, and whether it is asynchronous; no comments, no strings. */
function toText(text: string): string[] {
  const terms: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) terms.push(node.getText());
    else if (ts.isIdentifier(node) && !isMemberName(node)) terms.push(node.text);
    else if (node.kind === ts.SyntaxKind.AsyncKeyword) terms.push('async');
    else if (ts.isAwaitExpression(node)) terms.push('await');
    ts.forEachChild(node, visit);
  };

  visit(ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true));
  return terms;
}

/** `x.process`, `{process: 1}`: a member of something of ours that merely has the name. */
function isMemberName(node: ts.Identifier): boolean {
  return (
    (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) ||
    (ts.isPropertyAssignment(node.parent) && node.parent.name === node) ||
    (ts.isPropertySignature(node.parent) && node.parent.name === node)
  );
}
