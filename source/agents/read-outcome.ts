import type {AgentPatterns} from './agent-spec.ts';
import type {AgentOutcome, Ended} from './driver.ts';
import {readOutcomeFile} from './read-outcome-file.ts';
import {signalInExit} from './signal-in-exit.ts';

/**
 * What came of it. An exit code other than 0 is a failure whatever the outcome file claims, unless that says itself that
 * the agent gave up or could not be reached; one that stands for a signal is no end of its own. Exit code 0 is no proof of success either: whoever asks looks at the worktree.
 */
export function readOutcome(ended: Ended, patterns: AgentPatterns = {}): AgentOutcome {
  const {code, output} = ended;
  const told = ended.outcome === undefined ? undefined : readOutcomeFile(ended.outcome);
  if (told !== undefined && (told.at !== 'finished' || code === 0)) return told;

  const lines = output
    .split(/\r?\n/)
    .slice(-mostLines)
    .map((line) => line.slice(0, mostColumns));
  const found = conversationIn(lines, patterns.conversation);
  const heard = {...(found !== undefined && {conversation: found})};
  const gaveUp = lineLike(lines, patterns.gaveUp);
  if (gaveUp !== undefined) return {at: 'gave-up', words: gaveUp, ...heard};
  if (code === 0) return {at: 'finished', words: lastWords(lines), ...heard};

  const unavailable = lineLike(lines, patterns.unavailable);
  if (unavailable !== undefined) return {at: 'unavailable', words: unavailable, ...heard};
  const signal = code === null ? 'a signal' : signalInExit(code);
  const end =
    signal === undefined ? `It ended with exit code ${String(code)}` : `It was ended by ${signal}`;
  const said = lines.findLast((line) => line.trim() !== '');
  return {
    at: signal === undefined ? 'failed' : 'interrupted',
    words:
      said === undefined ? `${end} and said nothing.` : `${end}. The last it said: ${said.trim()}`,
    ...heard,
  };
}

/** Patterns are tried on so much and no more, so that no output takes for ever. */
const mostLines = 2000;
const mostColumns = 2000;

function lineLike(lines: readonly string[], pattern: string | undefined): string | undefined {
  const expression = compile(pattern);
  return expression && lines.findLast((line) => expression.test(line))?.trim();
}

function conversationIn(lines: readonly string[], pattern: string | undefined): string | undefined {
  const expression = compile(pattern);
  const match =
    expression && lines.map((line) => expression.exec(line)).findLast((found) => found !== null);
  const conversation = match?.[1] ?? match?.[0];
  // It comes back as an argument: nothing that could be taken for an option.
  return conversation !== undefined && /^[A-Za-z0-9][\w.:-]{0,199}$/.test(conversation)
    ? conversation
    : undefined;
}

/** `readAgents` refuses what does not compile; a spec from elsewhere simply never matches. */
function compile(pattern: string | undefined): RegExp | undefined {
  if (pattern === undefined) return undefined;
  try {
    return new RegExp(pattern);
  } catch {
    return undefined;
  }
}

/** The last paragraph. */
function lastWords(lines: readonly string[]): string {
  const text = lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
  return text
    .slice(text.lastIndexOf('\n\n') + 1)
    .trim()
    .slice(-mostCharacters);
}

const mostCharacters = 4000;
