import type {
  AcceptedCard,
  Brief,
  BriefView,
  ContextAudit,
  RunTimeline,
  SharingReport,
  StopReport,
  Timeline,
} from '../../reports/index.ts';
import type {Recalled} from '../../knowledge/index.ts';
import type {CodeReport} from '../../protocol/index.ts';
import type {DiffFile} from '../review/parse-diff.ts';

/** The last answers of the daemon. Each is requested when a screen needs it. */
export type Answers = {
  /** Daemons before 0.3 have no `view`. */
  readonly brief?: Brief & {readonly view?: BriefView};
  readonly diff?: Answered<DiffAnswer>;
  readonly explanation?: Answered<{readonly stop?: StopReport}>;
  /** The change of a task that stopped. */
  readonly change?: Answered<readonly DiffFile[]>;
  /** Of one run, with its chart and its rows; without a run, and before 0.3, only the entries. */
  readonly timeline?: Timeline & Partial<RunTimeline>;
  /** The card of the run that was accepted last, or that was opened from the timeline. */
  readonly accepted?: AcceptedCard;
  readonly audit?: ContextAudit;
  readonly recall?: Answered<readonly Recalled[]>;
  /** One-time codes for commands whose sender could not be identified as the person. */
  readonly codes?: readonly CodeReport[];
  readonly facts?: readonly FactAnswer[];
  readonly usage?: Readonly<Record<string, UsageAnswer>>;
  /** The names of the skills of this repository. */
  readonly skills?: readonly string[];
  /** Dependencies of the checkout, and whether tasks get them. */
  readonly sharing?: SharingReport;
  /** Notes about the repository, to be read before a run. */
  readonly repository?: readonly string[];
};

export type Answered<T> = {readonly of: string} & (
  {readonly value: T} | {readonly rejected: string}
);

/** A diff: the parsed text of git in the order of the file tree, and the file list of git. */
export type DiffAnswer = {
  readonly from: string;
  readonly to: string;
  readonly read: readonly DiffFile[];
  readonly files: readonly {
    readonly path: string;
    readonly how: string;
    readonly added: number;
    readonly removed: number;
  }[];
};

export type FactAnswer = {readonly name: string; readonly at: number} & (
  {readonly value: unknown; readonly source: string} | {readonly unknown: string}
);

/** CPU as a share of one core, and memory in bytes. */
export type UsageAnswer = {
  readonly cpu: number;
  readonly memory: number;
  readonly at: number;
  /** Bytes printed in each of the last intervals, oldest first. */
  readonly pulse?: readonly number[];
};
