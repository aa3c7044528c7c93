import path from 'node:path';
import type {TerminalModes} from './terminal.ts';
import type {ProcessActivity} from './read-wait.ts';

/** A shell or REPL that was started without a script. */
export type Interpreter = {
  readonly name: string;
  readonly kind: 'shell' | 'repl';
  /**
   * It switched the terminal to raw mode without echo, as a line editor does; `read` in the same
   * shell does not.
   */
  readonly editsLine: boolean;
};

/**
 * These always edit the line themselves at their prompt. Without raw mode, another program asks.
 */
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

/** These leave line editing to the kernel, or may do so. */
const plainShells = new Set(['sh', 'dash', 'ash', 'ksh', 'ksh93', 'mksh', 'csh']);

type Repl = {readonly names: RegExp; readonly prompt: RegExp; readonly takesScript: boolean};

/** Prompts of the interpreters. Those without a script argument take a database or host instead. */
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

/**
 * Undefined for other programs, and for an interpreter that runs a script: its prompts are
 * questions. In doubt, undefined.
 */
export function findInterpreter([program = '', ...rest]: readonly string[]):
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

/** Whether the cursor's line is the interpreter's own prompt, not a question of a program in it. */
export function isOwnPrompt({name, kind, editsLine}: Interpreter, line: string): boolean {
  if (kind === 'repl')
    return repls.some(({names, prompt}) => names.test(name) && prompt.test(line));
  // To the kernel, `read -n 1 -s`, `read -e` and zsh's own questions look like a prompt; the text
  // of the line decides.
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

export type InputVerdict =
  /** A process waits for typed input. */
  | 'blocked'
  /** A process runs, or waits for something else than the terminal. */
  | 'working'
  /** Stopped, or waiting for events including the terminal, without signs of a question. */
  | 'idle'
  | 'exited'
  | 'unknown';

export type InputJudgement = {
  readonly verdict: InputVerdict;
  readonly proof: 'proven' | 'inferred' | 'none';
  /** The input is a secret of the person and must never be stored. */
  readonly secret: boolean;
  /** The activity that decided the verdict. */
  readonly by?: ProcessActivity;
};

/** Facts that the kernel does not know. */
export type InputHints = {
  /** Time since the last output of the terminal. */
  readonly silentMs?: number | undefined;
  /** Text of the cursor's line. */
  readonly promptLine?: string | undefined;
  /** The agent reported that it waits for a person. */
  readonly agentAsks?: boolean | undefined;
};

export type InputEvidence = InputHints & {
  /** One activity for each foreground process. */
  readonly activities: readonly ProcessActivity[];
  readonly modes?: TerminalModes | undefined;
  /** Whether they used the processor since the earlier sample; undefined without one. */
  readonly usedProcessor?: boolean | undefined;
};

const silenceMs = 3000;

/** Rules in order of certainty. A `proven` verdict must not depend on the screen. */
export function judgeInput(evidence: InputEvidence): InputJudgement {
  const {activities, modes, promptLine = ''} = evidence;
  const hidesTyping = modes?.isCanonical === true && !modes.echoes;
  const secret = hidesTyping || asksForSecret(promptLine);
  const includes = (activity: ProcessActivity): boolean => activities.includes(activity);
  const otherwise = (verdict: InputVerdict, by: ProcessActivity): InputJudgement => ({
    verdict,
    proof: 'none',
    secret: false,
    by,
  });
  const reads = includes('reads-terminal') && modes?.readsForATime !== true;
  if (reads && modes !== undefined)
    return {verdict: 'blocked', proof: 'proven', secret, by: 'reads-terminal'};
  if (includes('runs')) return otherwise('working', 'runs');
  if (reads) return {verdict: 'blocked', proof: 'inferred', secret, by: 'reads-terminal'};
  if (includes('awaits-terminal'))
    return {verdict: 'blocked', proof: 'inferred', secret, by: 'awaits-terminal'};
  for (const by of ['reads-terminal', 'attends-terminal', 'is-unreadable'] as const) {
    if (!includes(by)) continue;
    if ((by === 'is-unreadable' && hidesTyping) || seemsToAsk(evidence))
      return {verdict: 'blocked', proof: 'inferred', secret, by};
    if (evidence.usedProcessor === true) return otherwise('working', by);
    if (by === 'is-unreadable') return otherwise('unknown', by);
    return otherwise(
      evidence.silentMs !== undefined && evidence.silentMs < silenceMs ? 'working' : 'idle',
      by,
    );
  }

  if (includes('waits-elsewhere')) return otherwise('working', 'waits-elsewhere');
  return includes('is-stopped')
    ? otherwise('idle', 'is-stopped')
    : {verdict: 'exited', proof: 'none', secret: false};
}

/**
 * A program in epoll looks the same whether it asks, computes or waits for a server, so all signs
 * must agree.
 */
function seemsToAsk({
  silentMs = 0,
  usedProcessor,
  promptLine = '',
  agentAsks = false,
}: InputEvidence): boolean {
  return (
    silentMs >= silenceMs && usedProcessor === false && (agentAsks || looksLikePrompt(promptLine))
  );
}

/**
 * Whether the cursor's line looks like a prompt: `Name:`, `version: (1.0.0)`, `[y/N]`, `>`. Counts
 * only together with the kernel's facts.
 */
export function looksLikePrompt(line: string): boolean {
  return /[?:]\s*(?:[([][^)\]]*[)\]]\s*)?$|[>$#%❯›»]\s*$|[([]\s*(?:y|yes)\s*\/\s*(?:n|no)\s*[)\]]|\bpress (?:any key|enter|return)\b|\(END\)|--More--/iu.test(
    line,
  );
}

/**
 * Whether the line is almost certainly a question. A shell's prompt can end in `git:(main)` or in a
 * name, and can follow a question that was answered with one key.
 */
export function looksLikeQuestion(line: string): boolean {
  return /[?:](?:\s+[([][^)\]]*[)\]])?\s*$|[([]\s*(?:y|yes)\s*\/\s*(?:n|no)\b[^)\]]*[)\]]\W*$|\b(?:press (?:any key|enter|return)|type one of)\b[^$#%>❯]*$/iu.test(
    line,
  );
}

/** Whether the line asks for a secret. Prefers false positives. */
export function asksForSecret(line: string): boolean {
  return /\b(?:password|passphrase|passcode|pin|otp|secret|token|api[ -]?key|verification code)\b[^:?]*[:?]\s*$/i.test(
    line,
  );
}
