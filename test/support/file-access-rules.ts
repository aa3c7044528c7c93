import ts from 'typescript';
import type {SourceTree, Violation} from './module-rules.ts';

/**
 * These look at names, move them or make them; none opens a file, so none can follow a link into
 * one, wait at a pipe or fill the memory.
 */
const harmless = new Set([
  'accessSync',
  'chmodSync',
  'closeSync',
  'constants',
  'existsSync',
  'fchmodSync',
  'fsyncSync',
  'linkSync',
  'lstatSync',
  'lutimesSync',
  'mkdirSync',
  'mkdtempSync',
  'readlinkSync',
  'realpathSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
  'statSync',
  'statfsSync',
  'symlinkSync',
  'writeSync',
  'chmod',
  'lstat',
  'rm',
  'statfs',
]);

/**
 * `files` itself; the journal and the terminals' logs, which have formats and locks of their own;
 * and what reads the kernel's /proc.
 */
const ownWays = new Set(['files', 'journal', 'keeper', 'system']);

export type Exception = {
  readonly names: readonly string[];
  /** Who can write there, and why it cannot block or grow. */ readonly why: string;
};

export const exceptions: Readonly<Record<string, Exception>> = {
  'agent-runner/create-inbox.ts': {
    names: ['openSync', 'readdirSync'],
    why: "lists names, makes a new file (wx), and opens a directory to have it on the disk; only the session's own agent can write there",
  },
  'agent-runner/process-family.ts': {
    names: ['readFileSync', 'readdirSync'],
    why: "reads the kernel's /proc",
  },
  'cli/app/run-cached-script.ts': {
    names: ['readFileSync', 'readdirSync'],
    why: "reads the program itself, and compiled code beside Node's own in the state directory, which is the person's alone",
  },
  'cli/demo/make-demo.ts': {
    names: ['writeFileSync'],
    why: 'writes into a directory that it has just made for itself',
  },
  'cli/runs/message-task.ts': {
    names: ['readFileSync'],
    why: 'reads standard input, if the person says so',
  },
  'cli/replay.ts': {
    names: ['writeFileSync'],
    why: 'the person names the file, also a pipe or /dev/stdout',
  },
  'cli/start-daemon.ts': {
    names: ['openSync', 'writeFileSync'],
    why: "appends to the log in the state directory, which is the person's alone, and tries a new file there to see whether the disk is full",
  },
  'daemon/startup/lock.ts': {
    names: ['writeFileSync'],
    why: 'makes a new file (wx) in the state directory on a disk without hard links',
  },
  'daemon/effects/type-text.ts': {
    names: ['openSync'],
    why: 'makes a new file (wx), and opens a directory to have it on the disk',
  },
  'daemon/sessions/start-keeper.ts': {
    names: ['openSync'],
    why: "appends to the log in the session's directory, which no agent sees",
  },
  'network/refusals.ts': {
    names: ['openSync', 'readFileSync', 'writeFileSync'],
    why: "reads /proc and its own terminal without waiting, and writes into the session's directory, which no agent sees",
  },
  'network/supervise.ts': {
    names: ['openSync', 'readFileSync'],
    why: "reads what the daemon wrote for it into the session's directory, which no agent sees",
  },
  'agent-runner/stream-file.ts': {
    names: ['openSync'],
    why: 'makes a new file (O_EXCL) and writes the stream into it as it comes',
  },
  'mcp/cap-result.ts': {names: ['writeFileSync'], why: 'makes a new file (wx) each time'},
  'git/accept/checkout-index.ts': {
    names: ['openSync', 'writeFileSync'],
    why: "writes the lock file of the person's index, which it made itself a moment before; agents see that directory read-only",
  },
  'git/accept/checkout-files.ts': {
    names: ['openSync'],
    why: 'opens what git has just written into a directory of ours, to have it on the disk',
  },
  'git/removal/back-up-files.ts': {
    names: ['cpSync'],
    why: 'copies what is left of a worktree after everybody in it has ended; pipes, sockets and devices are left out, links are not followed',
  },
  'git/worktrees/provision-worktree.ts': {
    names: ['writeFileSync'],
    why: 'writes a file with a random name into our own directory',
  },
  'git/worktrees/live-git.ts': {names: ['readFileSync'], why: 'reads /proc'},
  'git/sharing/copy-tree.ts': {
    names: ['copyFile', 'readdir'],
    why: "copies dependencies from the person's own checkout, entry by entry by kind; a look at each of 100,000 files would cost more than the copy",
  },
  'git/sharing/measure-sharing.ts': {
    names: ['copyFile'],
    why: "copies a sample of the person's own checkout, by kind, into a directory of ours",
  },
  'git/sharing/relocate.ts': {
    names: ['writeFileSync'],
    why: 'makes a new file (wx) beside the one that it replaces, in a directory that nobody works in yet',
  },
  'git/sharing/share-directory.ts': {
    names: ['copyFileSync', 'readdirSync'],
    why: "copies one file of the person's own checkout to see whether blocks can be shared",
  },
  'git/worktrees/permissions.ts': {
    names: ['fstatSync', 'openSync'],
    why: 'opens to change the mode of what it looked at, without following links or waiting; reads nothing',
  },
  'launcher.ts': {names: ['everything'], why: 'must parse on any Node and reads its own package'},
};

/**
 * Who opens files by Node's own functions without being in the list, and what in the list is not
 * needed.
 */
export function rawFileAccess(
  tree: SourceTree,
  allowed: Readonly<Record<string, Exception>> = exceptions,
): Violation[] {
  const found: Violation[] = [];
  for (const [file, text] of tree) {
    if (ownWays.has(file.split('/', 1)[0] ?? '')) continue;
    const used = getAccesses(text);
    const granted = allowed[file]?.names ?? [];
    for (const name of used)
      if (!granted.includes(name))
        found.push({
          file,
          text: `uses ${name} of node:fs; read and write through files/index.ts, or say in test/support/file-access-rules.ts who can write there`,
        });
    for (const name of granted)
      if (!used.has(name))
        found.push({
          file,
          text: `does not use ${name}; take it out of test/support/file-access-rules.ts`,
        });
  }

  for (const file of Object.keys(allowed))
    if (!tree.has(file))
      found.push({file, text: 'is in test/support/file-access-rules.ts and does not exist'});
  return found;
}

const isFileModule = (name: string): boolean => /^(?:node:)?fs(?:\/promises)?$/.test(name);

function getAccesses(text: string): ReadonlySet<string> {
  const used = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (
      ts.isImportDeclaration(node) &&
      ts.isStringLiteral(node.moduleSpecifier) &&
      isFileModule(node.moduleSpecifier.text)
    )
      for (const name of getNames(node.importClause)) used.add(name);
    else if (
      ts.isExportDeclaration(node) &&
      node.moduleSpecifier !== undefined &&
      ts.isStringLiteral(node.moduleSpecifier) &&
      isFileModule(node.moduleSpecifier.text)
    )
      used.add('everything');
    else if (
      ts.isCallExpression(node) &&
      node.arguments.some(
        (argument) => ts.isStringLiteralLike(argument) && isFileModule(argument.text),
      )
    )
      used.add('everything');
    ts.forEachChild(node, visit);
  };

  visit(ts.createSourceFile('file.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return used;
}

function getNames(clause: ts.ImportClause | undefined): readonly string[] {
  if (clause === undefined || clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
  const whole = clause.name === undefined ? [] : ['everything'];
  if (clause.namedBindings === undefined) return whole;
  if (ts.isNamespaceImport(clause.namedBindings)) return [...whole, 'everything'];
  const names = clause.namedBindings.elements
    .filter(({isTypeOnly}) => !isTypeOnly)
    .map(({propertyName, name}) => (propertyName ?? name).text);
  return [...whole, ...names.filter((name) => !harmless.has(name))];
}
