import type {SessionId} from '../../../domain/index.ts';

/** What one call wants of a shell that is open. */
export type ShellUse = {
  readonly shell: SessionId;
  readonly caller: SessionId;
  readonly command: string;
  readonly call?: string;
  readonly timeoutMs: number;
  /** It was opened for this call. */
  readonly isNew: boolean;
};

/** Ctrl-C. */
export const interrupt = '\u0003';

/** Of what a command printed; an agent pays for each word. */
export const mostCharacters = 6000;

export const lettingGo =
  'Call again with an empty command to wait further, or with "\\u0003" to interrupt it.';

export const doubt =
  'Nobody can say whether it was typed, and it is not typed twice. Look what came of it before you ask for it again.';
