import type {ScreenPatterns} from '../../agents/index.ts';
import type {Typing} from '../../protocol/index.ts';
import type {ScreenParseResult} from './session-screen.ts';

/** Nothing is typed this soon after a person's last key. */
const pauseAfterKeyMs = 3000;

/** `typing`: a person is typing right now. `draft`: their unfinished text stands there. */
export type PersonAtInput = 'typing' | 'draft' | undefined;

/**
 * Whether a person's hands are in the agent's input. The keeper counts keys; the screen shows
 * whether their text still stands there, where the agent's prompt is known.
 */
export function parsePersonAtInput(
  typing: Typing | undefined,
  {text, promptLine}: Pick<ScreenParseResult, 'text' | 'promptLine'>,
  patterns: ScreenPatterns,
  now: number,
): PersonAtInput {
  if (typing === undefined) return undefined;
  if (now - typing.at < pauseAfterKeyMs) return 'typing';
  return typing.draft > 0 && !isInputEmpty(text, promptLine, patterns) ? 'draft' : undefined;
}

/**
 * A prompt is a mark before the input (`❯`), or a text that stands there only while the input is
 * empty ("Type your message"). Where it is neither, only the keys count.
 */
function isInputEmpty(
  text: readonly string[],
  promptLine: string,
  {ready, isReadyWithText}: ScreenPatterns,
): boolean {
  if (ready === undefined || isReadyWithText === true) return false;
  const expression = new RegExp(ready);
  const marks = promptLine.replaceAll(/[\p{L}\p{N}]+/gu, '').trimEnd();
  if (expression.test(marks)) return marks.trim() === promptLine.trim();
  return text.some((line) => expression.test(line));
}
