import type {RunId, SessionId, TaskId} from '../ids.ts';
import type {Project} from '../state.ts';
import type {TroubleReason} from '../task.ts';

export type DaemonEvents = {
  /** `journal` is the id of the journal, recorded by the first start of a new one. */
  'daemon-started': {readonly build: string; readonly journal?: string};
  /** A graceful shutdown: effects in flight did not crash. */
  'daemon-stopping': object;
  'project-read': {readonly project: Project};
  /** Notes of the journal about itself; they do not change the state. */
  'journal-truncated': {readonly bytes: number; readonly kept: string};
  'disk-full': object;
  'effect-begun': {readonly effect: string};
  'trouble-met': {readonly owner: RunId | TaskId; readonly why: TroubleReason};
  'note-added': {readonly on: string; readonly text: string};
  /** `session` is s0 where no session is known; `words` then describe the sender. */
  'intrusion-refused': {
    readonly session: SessionId;
    readonly intent: string;
    readonly words?: string;
  };
  /**
   * A command came from inside a person's own session, or from a sender (s0, `words`) that could
   * not be proved to be the person. It was carried out.
   */
  'command-noted': {readonly session: SessionId; readonly intent: string; readonly words?: string};
  'intrusion-seen': {readonly number: number};
};
