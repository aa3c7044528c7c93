import type {Usage} from '../../domain/index.ts';
import type {Fields} from './fields.ts';
import type {StreamEvent} from './stream-event.ts';

/** How one agent's structured stream is read: JSON objects, one on each line. */
export type AgentStream = {
  /** Begins a stream. What is given remembers what was said before: of a message that came in parts the whole is not said again. */
  readonly open: () => ReadRecord;
  /** It only repeats what a later record says whole: read, but not worth keeping. */
  readonly isProgress?: (record: Fields) => boolean;
  /** Where the agent keeps what a conversation used before, for those that count it again after a resume or only at the end. */
  readonly earlier?: EarlierUsage;
  /** A call of a tool is told when it is over, and not when it begins. */
  readonly tellsToolsLate?: true;
  /** An argument that older versions refuse; without it the agent works all the same. */
  readonly optional?: string;
};

export type ReadRecord = (record: Fields) => readonly StreamEvent[];

export type EarlierUsage = {
  /** The directory under which the file is, however deep. */
  readonly directory: (home: string, env: Readonly<Record<string, string | undefined>>) => string;
  readonly fileEnd: (conversation: string) => string;
  readonly read: (text: string) => Usage | undefined;
};
