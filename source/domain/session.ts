import type {RunId, SessionId, TaskId, WorktreeOwner} from './ids.ts';

/** One PTY. A pane shows a session; the session does not know of panes. */
export type Session = {
  readonly id: SessionId;
  readonly purpose: Purpose;
  /** Its agent, if that is not the one that the run's request names. */
  readonly agent?: string;
  readonly life: SessionLife;
  /** A person asked to end this session. */
  readonly stop?: {readonly at: number};
  /** It should have ended and could not be ended; stopping is retried. */
  readonly unstoppable?: {readonly words: string; readonly at: number};
  readonly waiting?: Waiting;
  /** How long it waited for input before, in milliseconds. */
  readonly waited?: number;
  readonly inputs: readonly SessionInput[];
  readonly usage: Usage;
  /** The agent's id for its conversation, to resume it. */
  readonly conversation?: string;
  /** The conversation that it should have continued was missing; no earlier one is resumed. */
  readonly lostConversation?: true;
  /** Its questions to a person through its tools, in order. */
  readonly questions?: readonly AskedQuestion[];
  /** Hosts that it could not reach, in order; each host and port once. */
  readonly networkRefused?: readonly BlockedHost[];
  /** The agent's service fails, and the agent retries by itself. */
  readonly retrying?: Retrying;
  /** Signs that its agent is in a loop, in order; each once. */
  readonly loops?: readonly NoticedLoop[];
  /** Of an agent in its own interface: whether it works or waits at its prompt. */
  readonly turn?: Turn;
  /** How many lines of the agent's signals were handled. */
  readonly signals?: number;
  /** Of an agent in its own interface: what it did for earlier attempts or planning rounds. */
  readonly earlier?: EarlierWork;
  /** Of a planner in its own interface: the last turn that was read for a plan. */
  readonly readTurn?: number;
  /** How many of the plans that it handed in through its tool were read. */
  readonly handIns?: number;
};

/**
 * The agent itself reports it by a hook or an escape sequence (`agent`), or its screen and its
 * silence suggest it (`screen`).
 */
export type TurnSource = 'agent' | 'screen';

/** From a prompt to the agent's answer. */
export type Turn = {
  readonly number: number;
  readonly at: 'open' | 'ended';
  readonly since: number;
  readonly source?: TurnSource;
  /** Who wrote its prompt; absent in older journals. */
  readonly by?: 'person' | 'orchestra';
  /** The agent said that its work is complete. */
  readonly isDone?: true;
  /** The agent's last message. */
  readonly words?: string;
  /** The error that ended it. */
  readonly error?: string;
};

export type EarlierWork = {
  /** How long it worked, in milliseconds. */
  readonly worked: number;
  /** How many turns and inputs it had. */
  readonly turns: number;
  readonly inputs: number;
  /** The total usage at the end of each attempt, in order. */
  readonly usage: readonly {readonly attempt: number; readonly usage: Usage}[];
};

export type Retrying = {
  readonly since: number;
  readonly times: number;
  /** The message of the agent or its service. */
  readonly words: string;
  /** The HTTP status, where known. */
  readonly status?: number;
};

/**
 * `same-calls`: the same tool call with the same answer and nothing new in between. `same-
 * failures`: the same command fails in the same way, with no change in between. `undone-edits`:
 * edits that restore earlier content of a file. `unchanged`: nothing in the worktree changes, for
 * minutes.
 */
export type LoopKind = 'same-calls' | 'same-failures' | 'undone-edits' | 'unchanged';

export type NoticedLoop = {
  readonly number: number;
  readonly kind: LoopKind;
  /** Identifies the sign. */
  readonly key: string;
  /** The call, the command or the file. */
  readonly evidence: string;
  /** How often, when it was noticed; minutes for `unchanged`. */
  readonly times: number;
  /** Start of the loop. */
  readonly since: number;
  /** When it was noticed. */
  readonly at: number;
  /** A person acknowledged it; the agent continues. */
  readonly isSeen?: true;
};

/** Signs that are recorded for one session. */
export const maxLoops = 20;

/** `private-address`: the name is allowed, but resolves to this machine or a private network. */
export type NetworkRefusal =
  'not-listed' | 'port-not-listed' | 'private-address' | 'not-a-host' | 'too-many';

export type BlockedHost = {readonly host: string; readonly port: number};

/** Blocked hosts that are recorded for one session. */
export const maxBlockedHosts = 50;

export type Purpose =
  /**
   * `interactive`: the agent's own interface. It may plan further rounds of its run. `waits`: it
   * resumes the conversation for the person, and no prompt is typed.
   */
  | {
      readonly for: 'plan';
      readonly run: RunId;
      readonly round: number;
      readonly asking: 1 | 2;
      readonly mode?: 'interactive';
      readonly waits?: true;
    }
  /**
   * Without `on`: before the first attempt. `change`: again in the task's worktree; `merge`: in the
   * merge worktree.
   */
  | {readonly for: 'setup'; readonly task: TaskId; readonly on?: 'change' | 'merge'}
  /**
   * For a worktree that belongs to no task: the planner's, or the merge worktree before the first
   * merge.
   */
  | {readonly for: 'worktree-setup'; readonly run: RunId; readonly owner: WorktreeOwner}
  /** A check on the untouched base. */
  | {
      readonly for: 'baseline';
      readonly run: RunId;
      readonly check: string;
      readonly command: string;
    }
  /**
   * `interactive`: the agent's own interface. It may work on further attempts of its task.
   * `unprompted`: no prompt is typed at its start, since a person writes to it.
   */
  | {
      readonly for: 'attempt';
      readonly task: TaskId;
      readonly attempt: number;
      readonly mode?: 'interactive';
      readonly unprompted?: true;
    }
  | {readonly for: 'takeover'; readonly task: TaskId}
  | {
      readonly for: 'check';
      readonly task: TaskId;
      readonly attempt: number;
      readonly check: string;
      readonly on: 'change' | 'merge';
    }
  /**
   * A shell that an agent keeps open in its task's worktree, across calls and attempts. Without
   * `program` it is a plain shell.
   */
  | {readonly for: 'shell'; readonly task: TaskId; readonly name: string; readonly program?: string}
  | {readonly for: 'service'; readonly service: string}
  /** `prompt` is typed once, when the started agent is ready for it. */
  | {
      readonly for: 'person';
      readonly name: string;
      readonly command: readonly string[];
      readonly directory: string;
      readonly prompt?: string;
    };

export type SessionLife =
  | {readonly at: 'asked'}
  /** Its keeper exists and is recorded; only now may its program start. */
  | {readonly at: 'created'}
  | {readonly at: 'running'; readonly since: number}
  /** `since`: when its program started; absent if it never did. */
  | {
      readonly at: 'exited';
      readonly when: number;
      readonly code: number | null;
      readonly signal: string | null;
      readonly since?: number;
    }
  /** Its keeper died without an exit status. */
  | {readonly at: 'lost'; readonly when: number; readonly why: string; readonly since?: number};

/** A process that waits for input, with the question on its screen. */
export type Waiting = {
  readonly proof: 'proven' | 'inferred';
  /** Echo is off: only a person answers, and the answer is never recorded. */
  readonly secret: boolean;
  readonly question: string;
  /** Who reported it, if not the kernel. */
  readonly source?: AskSource;
  /** Options of its dialog or of a plain program's list, in order. */
  readonly options?: readonly string[];
  /** For a plain program: what to type for each option. */
  readonly keys?: readonly string[];
  /** It takes single keys: no Enter follows them. */
  readonly readsKeys?: true;
  /** Not a question: a shell or a similar program is at its own prompt. */
  readonly idle?: true;
  readonly since: number;
};

/** Reported by the agent itself, or by a known dialog on its screen. */
export type AskSource = 'agent' | 'screen';

/** Text to type. It is typed at most once. */
export type SessionInput = {
  readonly number: number;
  readonly text: string;
  readonly at: number;
  readonly fate: 'pending' | 'typed' | 'uncertain';
  /** The file whose text is typed as the prompt when the agent is ready. */
  readonly prompt?: string;
  /**
   * The question that it answers. For a dialog, `text` is the number of the option; for a plain
   * program, what is typed.
   */
  readonly answers?: string;
  /** Why it is uncertain, if known. */
  readonly why?: string;
  /** Since when a person's unfinished text in the agent's input keeps it from being typed. */
  readonly heldSince?: number;
};

/** Open until a person answers it or its session ends. */
export type AskedQuestion = {
  readonly number: number;
  readonly question: string;
  readonly options?: readonly string[];
  readonly at: number;
  readonly answer?: {readonly text: string; readonly at: number};
};

export type Usage = {
  readonly input: number;
  readonly output: number;
  readonly cost?: number;
};

export const noUsage: Usage = {input: 0, output: 0};

/** `cost` only where one of them has it. */
export function addUsage(one: Usage, other: Usage): Usage {
  const cost =
    one.cost === undefined && other.cost === undefined
      ? {}
      : {cost: (one.cost ?? 0) + (other.cost ?? 0)};
  return {input: one.input + other.input, output: one.output + other.output, ...cost};
}

/** The oldest unanswered question. */
export function selectOpenQuestion(session: Session): AskedQuestion | undefined {
  return isLive(session) ? session.questions?.find(({answer}) => answer === undefined) : undefined;
}

/** An agent that plans or works in its own interface. */
export function isInteractive({purpose}: Pick<Session, 'purpose'>): boolean {
  return (purpose.for === 'attempt' || purpose.for === 'plan') && purpose.mode === 'interactive';
}

/** An agent in its own interface has ended its turn, or had none yet, and waits for a prompt. */
export function isBetweenTurns(session: Session): boolean {
  return isInteractive(session) && (session.turn?.at === 'ended' || isUntouched(session));
}

/** Nobody has written to it since it started without a prompt. */
function isUntouched({purpose, life, turn, inputs}: Session): boolean {
  return (
    purpose.for === 'attempt' &&
    purpose.unprompted === true &&
    life.at === 'running' &&
    turn === undefined &&
    !inputs.some(({prompt}) => prompt !== undefined)
  );
}

/** The agent works on something that it got then or later. */
export function hasBegunSince(turn: Turn | undefined, at: number): boolean {
  // A session that starts at its prompt has had no turn yet.
  return turn !== undefined && turn.number > 0 && (turn.at === 'open' || turn.since >= at);
}

/**
 * How long it has waited: for input at its terminal, for answers to questions that it asked through
 * its tools, or for its next prompt.
 */
export function waitedFor(
  {waiting, waited = 0, questions = [], turn}: Session,
  at: number,
): number {
  const asked = questions.reduce(
    (sum, question) => sum + (question.answer?.at ?? at) - question.at,
    0,
  );
  if (turn?.at === 'ended') return waited + (at - turn.since) + asked;
  return waited + (waiting === undefined ? 0 : at - waiting.since) + asked;
}

/** How long it has worked on its attempt, without the time spent waiting. */
export function workedFor(session: Session, at: number): number {
  return session.life.at === 'running'
    ? at - session.life.since - waitedFor(session, at) - (session.earlier?.worked ?? 0)
    : 0;
}

/**
 * When it will have worked for `limit` milliseconds. Undefined while it waits for a person, which
 * does not count.
 */
export function selectDeadline(
  session: Session,
  limit: number,
): {readonly until: number; readonly waited: number} | undefined {
  if (
    session.life.at !== 'running' ||
    session.waiting !== undefined ||
    isBetweenTurns(session) ||
    selectOpenQuestion(session) !== undefined
  )
    return undefined;
  const waited = waitedFor(session, session.life.since) + (session.earlier?.worked ?? 0);
  return {until: session.life.since + limit + waited, waited};
}

/**
 * A shell or a similar program is at its own prompt in a session that a person opened or took over,
 * so the person knows that it waits. In other sessions no person would notice.
 */
export function isAtPrompt({purpose, waiting}: Session): boolean {
  return waiting?.idle === true && (purpose.for === 'person' || purpose.for === 'takeover');
}

export function isLive(session: Session): boolean {
  return session.life.at !== 'exited' && session.life.at !== 'lost';
}
