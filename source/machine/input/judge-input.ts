import {asksForSecret, looksLikePrompt} from './looks-like-prompt.ts';
import type {TerminalModes} from './read-terminal-modes.ts';
import type {Doing} from './read-wait.ts';

export type InputVerdict =
  /** A process waits for something to be typed. */
  | 'blocked'
  /** Something runs, or waits for something else than the terminal. */
  | 'working'
  /** Stopped; or waits for events, the terminal among them, and nothing shows that it asks. */
  | 'idle'
  | 'exited'
  | 'unknown';

export type InputJudgement = {
  readonly verdict: InputVerdict;
  readonly proof: 'proven' | 'inferred' | 'none';
  /** What is asked for is a person's alone, and is never written down. */
  readonly secret: boolean;
  /** Which of the doings decided. */
  readonly by?: Doing;
};

/** What the caller knows and the kernel does not. */
export type InputHints = {
  /** For how long the terminal has shown nothing new. */
  readonly silentMs?: number | undefined;
  /** The text of the line that the cursor stands on. */
  readonly promptLine?: string | undefined;
  /** The agent said by itself that it waits for a person. */
  readonly agentAsks?: boolean | undefined;
};

export type InputEvidence = InputHints & {
  /** Of every process in the foreground. */
  readonly doings: readonly Doing[];
  readonly modes?: TerminalModes | undefined;
  /** Whether they used the processor since some time ago; nothing when there is no earlier sample. */
  readonly usedProcessor?: boolean | undefined;
};

const silenceMs = 3000;

/** From the surest to the least sure. What is `proven` must hold whatever the screen says. */
export function judgeInput(evidence: InputEvidence): InputJudgement {
  const {doings, modes, promptLine = ''} = evidence;
  const hidesTyping = modes?.isCanonical === true && !modes.echoes;
  const secret = hidesTyping || asksForSecret(promptLine);
  const does = (doing: Doing): boolean => doings.includes(doing);
  const otherwise = (verdict: InputVerdict, by: Doing): InputJudgement => ({
    verdict,
    proof: 'none',
    secret: false,
    by,
  });
  const reads = does('reads-terminal') && modes?.readsForATime !== true;
  if (reads && modes !== undefined)
    return {verdict: 'blocked', proof: 'proven', secret, by: 'reads-terminal'};
  if (does('runs')) return otherwise('working', 'runs');
  if (reads) return {verdict: 'blocked', proof: 'inferred', secret, by: 'reads-terminal'};
  if (does('awaits-terminal'))
    return {verdict: 'blocked', proof: 'inferred', secret, by: 'awaits-terminal'};
  for (const by of ['reads-terminal', 'attends-terminal', 'is-unreadable'] as const) {
    if (!does(by)) continue;
    if ((by === 'is-unreadable' && hidesTyping) || seemsToAsk(evidence))
      return {verdict: 'blocked', proof: 'inferred', secret, by};
    if (evidence.usedProcessor === true) return otherwise('working', by);
    if (by === 'is-unreadable') return otherwise('unknown', by);
    return otherwise(
      evidence.silentMs !== undefined && evidence.silentMs < silenceMs ? 'working' : 'idle',
      by,
    );
  }

  if (does('waits-elsewhere')) return otherwise('working', 'waits-elsewhere');
  return does('is-stopped')
    ? otherwise('idle', 'is-stopped')
    : {verdict: 'exited', proof: 'none', secret: false};
}

/** A program that sleeps in epoll looks the same whether it asks, thinks or waits for a server: all of this must come together. */
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
