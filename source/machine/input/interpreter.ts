import path from 'node:path';
import {looksLikeQuestion} from './looks-like-prompt.ts';

/** A program that takes one command after another from whoever opened it, and was given no script to run. */
export type Interpreter = {
  readonly name: string;
  readonly kind: 'shell' | 'repl';
  /** It has switched the terminal to single keys without echo, as a line editor does: `read` in the same shell does not. */
  readonly editsLine: boolean;
};

/** At their prompt they always edit the line themselves. Where one does not, somebody else's question stands there. */
const editingShells = new Set([
  'bash',
  'rbash',
  'zsh',
  'fish',
  'tcsh',
  'nu',
  'pwsh',
  'elvish',
  'xonsh',
]);

/** These leave the line to the kernel, or may do so. */
const plainShells = new Set(['sh', 'dash', 'ash', 'ksh', 'ksh93', 'mksh', 'csh']);

type Repl = {readonly names: RegExp; readonly prompt: RegExp; readonly takesScript: boolean};

/** What they print before they take a line. Those that take no script name a database or a host on their command line. */
const repls: readonly Repl[] = [
  {names: /^python[\d.]*$/, prompt: /^(?:>>>|\.\.\.)(?: |$)/, takesScript: true},
  {names: /^node(?:js)?$/, prompt: /^(?:>|\.\.\.|\|)(?: |$)/, takesScript: true},
  {names: /^irb[\d.]*$/, prompt: /^irb\([^)]*\)[\d:]*[>*"'](?: |$)/, takesScript: true},
  {names: /^psql$/, prompt: /^[^\s=]*[=\-('"*^!$][>#](?: |$)/, takesScript: false},
  {names: /^sqlite3$/, prompt: /^(?:sqlite| {3}\.\.\.)>(?: |$)/, takesScript: false},
  {
    names: /^(?:mysql|mariadb)$/,
    prompt: /^(?:mysql|MariaDB \[[^\]]*\]| {4}-)>(?: |$)/,
    takesScript: false,
  },
];

/** Nothing for any other program, and for one that runs a script: what that asks is a question. When in doubt, nothing. */
export function interpreterOf([program = '', ...rest]: readonly string[]):
  Omit<Interpreter, 'editsLine'> | undefined {
  // A login shell has a dash before its name.
  const name = path.basename(program).replace(/^-/, '');
  if (editingShells.has(name) || plainShells.has(name))
    return shellRunsScript(rest) ? undefined : {name, kind: 'shell'};
  const repl = repls.find(({names}) => names.test(name));
  if (
    repl === undefined ||
    (repl.takesScript &&
      !rest.every((argument) => /^-(?:[abd-ln-zA-Z]+|-interactive)$/.test(argument)))
  )
    return undefined;
  return {name, kind: 'repl'};
}

/** Whether the line that the cursor stands on is the interpreter's own prompt, and not a question that something in it asks. */
export function isOwnPrompt({name, kind, editsLine}: Interpreter, line: string): boolean {
  if (kind === 'repl')
    return repls.some(({names, prompt}) => names.test(name) && prompt.test(line));
  // `read -n 1 -s`, `read -e` and what zsh asks by itself look the same to the kernel; so do two prompts, but nobody ends theirs so.
  if (looksLikeQuestion(line)) return false;
  return editsLine || (plainShells.has(name) && /[>$#%❯›»]\s*$/u.test(line));
}

const takesValue = new Set(['-o', '+o', '-O', '+O', '--rcfile', '--init-file']);

function shellRunsScript(rest: readonly string[]): boolean {
  return rest.some((argument, index) => {
    if (takesValue.has(rest[index - 1] ?? '')) return false;
    return (
      !/^[-+]/.test(argument) ||
      /^-[a-z]*c/i.test(argument) ||
      /^--(?:command|execute|file)/.test(argument)
    );
  });
}
