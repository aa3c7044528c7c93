import type {RunId, SessionId, TaskId} from './ids.ts';
import type {MovedBranch, ParkReason, PlanFailure, Run, VoidReason} from './run.ts';
import type {ServiceStage} from './service.ts';
import type {AskSource, LoopKind} from './session.ts';
import type {Trouble} from './task.ts';
import type {StopReason} from './verdict.ts';

/**
 * Something that waits for the person. Needs are derived and never stored: a need disappears with
 * its cause. Its id stays the same as long as its cause does, so that a person is notified once.
 */
export type Need = {readonly id: string; readonly since: number} & NeedKind;

export type NeedKind =
  /** `red`: checks that are red on the base and not decided about yet. */
  | {
      readonly kind: 'plan';
      readonly run: RunId;
      readonly voided?: VoidReason;
      readonly red?: readonly string[];
    }
  /**
   * The planner, in its own interface, answered without a plan: `words` is the end of its message.
   * `problems`: what it handed in was not a valid plan.
   */
  | {
      readonly kind: 'planner-waits';
      readonly run: RunId;
      readonly session: SessionId;
      readonly words?: string;
      readonly problems?: readonly string[];
    }
  | {readonly kind: 'planless'; readonly run: RunId; readonly why: PlanFailure}
  /**
   * `asked` is the number of a question that an agent asked through its tools; it is answered with
   * `answer-question`, not typed.
   */
  | {
      readonly kind: 'question';
      readonly session: SessionId;
      readonly question: string;
      readonly proof: 'proven' | 'inferred';
      readonly secret: boolean;
      readonly asked?: number;
      readonly options?: readonly string[];
      /** What to type for each option, where that is not its number; see `selectChoices`. */
      readonly keys?: readonly string[];
      readonly source?: AskSource;
    }
  /** It is unknown whether the input was typed, and nothing is typed twice. */
  | {
      readonly kind: 'uncertain-input';
      readonly session: SessionId;
      readonly text: string;
      readonly why?: string;
    }
  /**
   * An agent that was opened without a plan waits for its person; nothing is checked before they ask
   * for it. `isOver`: the agent has ended. `words`: its last message.
   */
  | {
      readonly kind: 'turn';
      readonly task: TaskId;
      readonly session: SessionId;
      readonly isOver?: true;
      readonly words?: string;
    }
  /** Variants of a task ended, and at least one is green: the person picks one of `green`. */
  | {readonly kind: 'pick'; readonly task: TaskId; readonly green: readonly TaskId[]}
  /** A person's unfinished text stands in the agent's input, so its next prompt is not typed. */
  | {readonly kind: 'draft'; readonly session: SessionId}
  /** A process that should have ended still runs. */
  | {readonly kind: 'unstoppable'; readonly session: SessionId; readonly words: string}
  /** The agent seems to be in a loop and continues. `from` is the start of the loop. */
  | {
      readonly kind: 'loop';
      readonly session: SessionId;
      readonly number: number;
      readonly loop: LoopKind;
      readonly evidence: string;
      readonly times: number;
      readonly from: number;
    }
  | {readonly kind: 'stopped'; readonly task: TaskId; readonly why: StopReason}
  | {readonly kind: 'trouble'; readonly owner: RunId | TaskId; readonly why: Trouble['why']}
  | {readonly kind: 'parked'; readonly run: RunId; readonly why: ParkReason}
  | {
      readonly kind: 'budget';
      readonly run: RunId;
      readonly exhausted: NonNullable<Run['exhausted']>;
    }
  /**
   * `isUnchecked`: the head is a commit that the person adopted, and no merge has been checked on
   * top of it.
   */
  | {
      readonly kind: 'accept';
      readonly run: RunId;
      readonly commit: string;
      readonly refusal?: string;
      readonly isUnchecked?: true;
    }
  /** Someone else moved the run's own branch. */
  | ({readonly kind: 'branch'; readonly run: RunId} & Omit<MovedBranch, 'at' | 'isRestoring'>)
  /** Every task was discarded. */
  | {readonly kind: 'nothing-left'; readonly run: RunId}
  | {
      readonly kind: 'service';
      readonly service: string;
      readonly stage: Extract<ServiceStage, {readonly at: 'failed' | 'foreign-port'}>;
    }
  /** The task cannot start because a service is not declared, or was stopped by a person. */
  | {readonly kind: 'service-missing'; readonly task: TaskId; readonly service: string}
  | {
      readonly kind: 'intrusion';
      readonly number: number;
      readonly session: SessionId;
      readonly intent: string;
      /** Describes the sender where no session (s0) is known. */
      readonly words?: string;
    };

/** One way to answer a question: `key` chooses it, also as the text of `send-input`. */
export type Choice = {readonly key: string; readonly label: string};

/**
 * The options of a question with the keys that choose them: those that a plain program expects, and
 * otherwise their numbers. Empty if there are none.
 */
export function selectChoices(need: Need): readonly Choice[] {
  if (need.kind !== 'question') return [];
  return (need.options ?? []).map((label, index) => ({
    key: need.keys?.[index] ?? String(index + 1),
    label,
  }));
}
