import path from 'node:path';
import ts from 'typescript';

/** A source tree as data: path inside `source/` → text. Planted violations are trees too. */
export type SourceTree = ReadonlyMap<string, string>;

export type Violation = {readonly file: string; readonly text: string};

type Room = {
  readonly mayEnter: readonly string[] | 'all';
  /** Packages and Node modules that live here. Each package lives in one room; zod in the two that read what is hostile. */
  readonly owns: readonly string[];
};

/** Section 5 of the design, as data. ARCHITECTURE.md tells it in words. */
export const rooms: Readonly<Record<string, Room>> = {
  commands: {mayEnter: 'all', owns: ['commander', 'node:*']},
  base: {mayEnter: [], owns: ['@noble/hashes']},
  files: {
    mayEnter: [],
    owns: ['node:buffer', 'node:crypto', 'node:fs', 'node:fs/promises', 'node:path'],
  },
  domain: {mayEnter: ['base'], owns: []},
  documents: {
    mayEnter: ['base', 'domain'],
    owns: [
      'zod',
      'yaml',
      'picomatch',
      'minisearch',
      'gpt-tokenizer',
      'mdast-util-from-markdown',
      'mdast',
    ],
  },
  agents: {mayEnter: ['base', 'domain'], owns: []},
  playbook: {mayEnter: ['base', 'files', 'domain', 'documents', 'agents'], owns: ['node:*']},
  renderer: {mayEnter: ['base', 'files', 'domain', 'documents', 'agents'], owns: ['node:*']},
  protocol: {mayEnter: ['base', 'domain'], owns: ['node:buffer']},
  journal: {
    mayEnter: ['base', 'domain'],
    owns: ['node:fs', 'node:path', 'node:crypto', 'node:zlib', 'node:buffer'],
  },
  keeper: {mayEnter: ['base', 'protocol'], owns: ['node-pty', 'node:*']},
  network: {mayEnter: ['base', 'domain'], owns: ['node:*']},
  terminal: {mayEnter: ['base', 'domain'], owns: ['@xterm/headless']},
  machine: {
    mayEnter: ['base', 'domain'],
    owns: ['node:fs', 'node:fs/promises', 'node:path', 'node:os', 'node:child_process', 'node:net'],
  },
  sandbox: {
    mayEnter: ['base', 'domain'],
    owns: ['@anthropic-ai/sandbox-runtime', 'node:path', 'node:buffer'],
  },
  workspace: {mayEnter: ['base', 'files', 'domain'], owns: ['simple-git', 'execa', 'node:*']},
  settings: {
    mayEnter: ['base', 'files', 'domain'],
    owns: ['conf', 'node:fs', 'node:os', 'node:path'],
  },
  daemon: {
    mayEnter: [
      'base',
      'files',
      'domain',
      'documents',
      'agents',
      'protocol',
      'journal',
      'keeper',
      'terminal',
      'machine',
      'network',
      'sandbox',
      'workspace',
      'settings',
    ],
    // zod too: it checks what arrives at its sockets, and no client loads it for that.
    owns: ['zod', 'node:*'],
  },
  client: {mayEnter: ['base', 'domain', 'protocol'], owns: ['node:net']},
  tui: {
    mayEnter: ['base', 'domain', 'documents', 'client', 'terminal'],
    owns: ['ink', 'react', 'lowlight', 'highlight.js'],
  },
  tools: {
    mayEnter: ['base', 'files', 'domain', 'client'],
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

/** Files that stand beside the rooms. They wire; the launcher must parse on any Node, so it enters nothing. */
const besideTheRooms: Readonly<Record<string, Room>> = {
  'cli.ts': {mayEnter: 'all', owns: ['commander', 'node:*']},
  'launcher.ts': {mayEnter: [], owns: ['node:child_process', 'node:fs', 'node:path', 'node:url']},
};

/** What makes a function impure; none of these words may stand in `domain` (nor in the cellar below it). */
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

export function violationsOf(tree: SourceTree): Violation[] {
  return [
    ...unknownFolders(tree),
    ...doors(tree),
    ...imports(tree),
    ...impurities(tree),
    ...cycles(tree),
  ];
}

function unknownFolders(tree: SourceTree): Violation[] {
  const found: Violation[] = [];
  for (const file of tree.keys()) {
    const room = roomOf(file);
    if (room === undefined && besideTheRooms[file] === undefined) {
      found.push({file, text: 'stands beside the rooms, but is not one of cli.ts, launcher.ts'});
    } else if (room !== undefined && rooms[room] === undefined) {
      found.push({file, text: `the folder ${room}/ is not a room of the house`});
    }
  }

  return found;
}

function doors(tree: SourceTree): Violation[] {
  const found: Violation[] = [];
  const present = new Set(
    [...tree.keys()].map((file) => roomOf(file)).filter((room) => room !== undefined),
  );
  for (const room of present) {
    const file = `${room}/index.ts`;
    const text = tree.get(file);
    if (text === undefined) {
      found.push({file, text: 'the room has no door'});
      continue;
    }

    const charter = /^\/\*\*(?<words>[\s\S]*?)\*\//.exec(text)?.groups?.['words'] ?? '';
    if (charter.trim() === '') {
      found.push({file, text: 'the door does not begin with its charter'});
    } else if (!charter.includes('Not here:')) {
      found.push({file, text: 'the charter has no "Not here:" line'});
    }
  }

  return found;
}

function imports(tree: SourceTree): Violation[] {
  const found: Violation[] = [];
  for (const [file, text] of tree) {
    const from = roomOf(file);
    const law = from === undefined ? besideTheRooms[file] : rooms[from];
    if (law === undefined) continue;
    for (const specifier of specifiersOf(text)) {
      if (!specifier.startsWith('.')) {
        const owner = packageOf(specifier);
        const isOwned =
          law.owns.includes(owner) || (owner.startsWith('node:') && law.owns.includes('node:*'));
        if (!isOwned)
          found.push({file, text: `may not use ${owner}: it does not live in ${from ?? file}`});
        continue;
      }

      const target = resolve(file, specifier);
      const to = roomOf(target);
      if (!tree.has(target)) {
        found.push({file, text: `imports ${specifier}, which does not exist`});
      } else if (to === undefined) {
        found.push({
          file,
          text: `may not import ${target}: nothing imports what stands beside the rooms`,
        });
      } else if (to !== from) {
        if (law.mayEnter !== 'all' && !law.mayEnter.includes(to))
          found.push({file, text: `${from ?? file} may not enter ${to}`});
        if (target !== `${to}/index.ts`)
          found.push({file, text: `enters ${to} through ${target}, not through its door`});
      }
    }
  }

  return found;
}

function impurities(tree: SourceTree): Violation[] {
  const found: Violation[] = [];
  for (const [file, text] of tree) {
    if (roomOf(file) !== 'domain' && roomOf(file) !== 'base') continue;
    const word = wordsOf(text).find((candidate) => impure.has(candidate));
    if (word !== undefined) found.push({file, text: `is pure and may not say ${word}`});
  }

  return found;
}

function cycles(tree: SourceTree): Violation[] {
  const edges = new Map(
    [...tree].map(([file, text]) => [
      file,
      specifiersOf(text)
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

function roomOf(file: string): string | undefined {
  const slash = file.indexOf('/');
  return slash === -1 ? undefined : file.slice(0, slash);
}

function resolve(file: string, specifier: string): string {
  return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function specifiersOf(text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map((imported) => imported.fileName);
}

/** The names that the program says, and whether it is asynchronous; no comments, no strings. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) words.push(node.getText());
    else if (ts.isIdentifier(node) && !isMemberName(node)) words.push(node.text);
    else if (node.kind === ts.SyntaxKind.AsyncKeyword) words.push('async');
    else if (ts.isAwaitExpression(node)) words.push('await');
    ts.forEachChild(node, visit);
  };

  visit(ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true));
  return words;
}

/** `x.process`, `{process: 1}`: a member of something of ours that merely has the name. */
function isMemberName(node: ts.Identifier): boolean {
  return (
    (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) ||
    (ts.isPropertyAssignment(node.parent) && node.parent.name === node) ||
    (ts.isPropertySignature(node.parent) && node.parent.name === node)
  );
}
