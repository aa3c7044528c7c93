import {
  asFields,
  isAmount,
  isConversationId,
  isFields,
  parseObject,
  parseUsage,
} from './stream/fields.ts';
import type {AgentReport} from '../domain/index.ts';
import type {AgentOutcome, AgentPatterns, ProcessEnd} from './driver.ts';

/** The largest outcome file that is read. */
export const maxOutcomeBytes = 256 * 1024;

/**
 * Parses `{"at": "finished", "words": "…", "report": {…}, "usage": {…}, "conversation": "…"}`. The
 * file is hostile: texts are cut, a field of the wrong shape is left out, and without a known `at`
 * it is no outcome.
 */
export function parseOutcomeFile(text: string): AgentOutcome | undefined {
  const file = text.length > maxOutcomeBytes ? undefined : parseObject(text);
  const at = ends.find((end) => end === file?.['at']);
  if (file === undefined || at === undefined) return undefined;

  const [report, usage, conversation, until] = [
    parseReport(file['report']),
    parseUsage(asFields(file['usage'])),
    file['conversation'],
    file['until'],
  ];
  const common = {
    words: parseText(file['words']) ?? '',
    ...(usage !== undefined && {usage}),
    ...(typeof conversation === 'string' && isConversationId(conversation) && {conversation}),
  };
  const denied = listOf(file['denied'], parseText).slice(0, maxDenied);
  if (at === 'finished')
    return {
      at,
      ...common,
      ...(report !== undefined && {report}),
      ...(denied.length > 0 && {denied}),
    };
  if (at === 'unavailable') return {at, ...common, ...(isAmount(until) && {until})};
  return {at, ...common};
}

const ends = [
  'finished',
  'gave-up',
  'failed',
  'interrupted',
  'conversation-lost',
  'unavailable',
] as const;
const maxFieldCharacters = 4000;
const maxMembers = 50;
const maxDenied = 3;

function parseReport(value: unknown): AgentReport | undefined {
  if (!isFields(value)) return undefined;
  const rootCause = parseText(value['rootCause']);
  const decisions = listOf(value['decisions'], parseText);
  const rejected = listOf(value['rejected'], (one) => {
    const member = asFields(one);
    const alternative = parseText(member['alternative']);
    const reason = parseText(member['reason']);
    return alternative === undefined || reason === undefined ? undefined : {alternative, reason};
  });
  return {
    ...(rootCause !== undefined && {rootCause}),
    ...(decisions.length > 0 && {decisions}),
    ...(rejected.length > 0 && {rejected}),
  };
}

function listOf<Member>(value: unknown, read: (member: unknown) => Member | undefined): Member[] {
  return Array.isArray(value)
    ? value.slice(0, maxMembers).flatMap((member) => read(member) ?? [])
    : [];
}

function parseText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.slice(0, maxFieldCharacters).trim() : '';
  return text === '' ? undefined : text;
}

/**
 * Signals that end a process, by number. SIGBUS, SIGUSR1, SIGUSR2 and SIGSYS differ between Linux
 * and macOS; the names are those of Linux.
 */
const signals: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  5: 'SIGTRAP',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  10: 'SIGUSR1',
  11: 'SIGSEGV',
  12: 'SIGUSR2',
  13: 'SIGPIPE',
  14: 'SIGALRM',
  15: 'SIGTERM',
  24: 'SIGXCPU',
  25: 'SIGXFSZ',
  31: 'SIGSYS',
};

/**
 * The signal that an exit code stands for: a wrapper (shell, sandbox) whose program was killed
 * exits with 128 plus the signal number.
 */
export function signalInExit(code: number | null): string | undefined {
  return code === null ? undefined : signals[code - 128];
}

/** What shells, npm and the kernel log print about a killed program. */
const killed =
  /\b(?:SIG(?:HUP|INT|QUIT|ILL|TRAP|ABRT|BUS|FPE|KILL|SEGV|PIPE|TERM|XCPU|XFSZ|SYS))\b|(?:^|\s)(?:Killed|Terminated|Hangup|Aborted \(core dumped\)|Segmentation fault)\b|\bOOM[- ]?[Kk]ill|JavaScript heap out of memory/;

export function mentionsKill(text: string): boolean {
  return killed.test(text.slice(-maxKillCharacters));
}

const maxKillCharacters = 1000;

/**
 * The outcome of an agent's process. An outcome file that claims success counts only with exit code
 * 0; other outcomes in it always count. An exit code that stands for a signal is an interruption.
 * Exit code 0 is no proof of success: the caller checks the worktree.
 */
export function parseOutcome(ended: ProcessEnd, patterns: AgentPatterns = {}): AgentOutcome {
  const {code, output} = ended;
  const inFile = ended.outcome === undefined ? undefined : parseOutcomeFile(ended.outcome);
  if (inFile !== undefined && (inFile.at !== 'finished' || code === 0)) return inFile;

  const lines = output
    .split(/\r?\n/)
    .slice(-maxLines)
    .map((line) => line.slice(0, maxColumns));
  const found = findConversation(lines, patterns.conversation);
  const conversation = {...(found !== undefined && {conversation: found})};
  const gaveUp = findLine(lines, patterns.gaveUp);
  if (gaveUp !== undefined) return {at: 'gave-up', words: gaveUp, ...conversation};
  if (code === 0) return {at: 'finished', words: lastParagraph(lines), ...conversation};

  const unavailable = findLine(lines, patterns.unavailable);
  if (unavailable !== undefined) return {at: 'unavailable', words: unavailable, ...conversation};
  const signal = code === null ? 'a signal' : signalInExit(code);
  const end =
    signal === undefined ? `It exited with code ${String(code)}` : `It was ended by ${signal}`;
  const text = lines.findLast((line) => line.trim() !== '');
  return {
    at: signal === undefined ? 'failed' : 'interrupted',
    words:
      text === undefined
        ? `${end} and printed nothing.`
        : `${end}. Its last output: ${text.trim()}`,
    ...conversation,
  };
}

/** Limits for the patterns, so that no output takes too long. */
const maxLines = 2000;
const maxColumns = 2000;

function findLine(lines: readonly string[], pattern: string | undefined): string | undefined {
  const expression = compile(pattern);
  return expression && lines.findLast((line) => expression.test(line))?.trim();
}

function findConversation(
  lines: readonly string[],
  pattern: string | undefined,
): string | undefined {
  const expression = compile(pattern);
  const match =
    expression && lines.map((line) => expression.exec(line)).findLast((found) => found !== null);
  const conversation = match?.[1] ?? match?.[0];
  return conversation !== undefined && isConversationId(conversation) ? conversation : undefined;
}

/** `parseAgents` rejects patterns that do not compile; one from elsewhere never matches. */
function compile(pattern: string | undefined): RegExp | undefined {
  if (pattern === undefined) return undefined;
  try {
    return new RegExp(pattern);
  } catch {
    return undefined;
  }
}

function lastParagraph(lines: readonly string[]): string {
  const text = lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
  return text
    .slice(text.lastIndexOf('\n\n') + 1)
    .trim()
    .slice(-maxParagraphCharacters);
}

const maxParagraphCharacters = 4000;
