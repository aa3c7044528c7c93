import type {Usage} from '../../domain/index.ts';
import type {Fields} from './fields.ts';
import type {StreamEvent} from './stream-event.ts';

/** How one agent's structured stream is read: JSON objects, one on each line. */
export type AgentStream = {
  readonly read: (record: Fields) => readonly StreamEvent[];
  /** It only repeats what a later record says whole: not worth keeping. */
  readonly isProgress?: (record: Fields) => boolean;
  /** Where the agent keeps what a conversation used before, for those that count it again after a resume. */
  readonly earlier?: EarlierUsage;
};

export type EarlierUsage = {
  /** The directory under which the file is, however deep. */
  readonly directory: (home: string, env: Readonly<Record<string, string | undefined>>) => string;
  readonly fileEnd: (conversation: string) => string;
  readonly read: (text: string) => Usage | undefined;
};
