import type {RunId, SessionId, TaskId, WorktreeOwner} from './ids.ts';

/** One PTY. A pane shows a session; the session does not know of panes. */
export type Session = {
  readonly id: SessionId;
  readonly purpose: Purpose;
  readonly life: SessionLife;
  /** A person asked this very session to end; it stays so. */
  readonly stop?: {readonly at: number};
  /** It should have ended, and could not be ended; it is tried further. */
  readonly unstoppable?: {readonly words: string; readonly at: number};
  readonly waiting?: Waiting;
  /** How long it has waited for input before, in milliseconds. */
  readonly waited?: number;
  readonly inputs: readonly Input[];
  readonly usage: Usage;
  /** The agent's own name for its conversation, to resume it. */
  readonly conversation?: string;
  /** The one that it was to go on with was not there: none of before is taken up again. */
  readonly lostConversation?: true;
  /** What it asked a person through its tools, in order. */
  readonly questions?: readonly AskedQuestion[];
  /** What it asked the network for and did not get, in order; each host and port once. */
  readonly networkRefused?: readonly RefusedHost[];
  /** Its agent's service fails, and the agent asks it again by itself. */
  readonly retrying?: Retrying;
  /** Signs that its agent goes in circles, in order; each once. */
  readonly loops?: readonly NoticedLoop[];
};

export type Retrying = {
  readonly since: number;
  readonly times: number;
  /** What the agent or its service said. */
  readonly words: string;
  /** The HTTP status, where it is known. */
  readonly status?: number;
};

/**
 * `same-calls`: the same tool call with the same answer, and nothing new between. `same-failures`: the same command that fails in
 * the same way, and nothing changed between. `undone-edits`: edits of a file that bring back what was in it. `unchanged`: nothing
 * in the worktree changes, for minutes.
 */
export type LoopKind = 'same-calls' | 'same-failures' | 'undone-edits' | 'unchanged';

export type NoticedLoop = {
  readonly number: number;
  readonly kind: LoopKind;
  /** The same key is the same sign. */
  readonly key: string;
  /** What it was: a call, a command, a file. */
  readonly evidence: string;
  /** How often, by the time that it was noticed; for `unchanged` how many minutes. */
  readonly times: number;
  /** Since when. */
  readonly since: number;
  /** When it was noticed. */
  readonly at: number;
  /** A person has looked at it, and lets the agent go on. */
  readonly isSeen?: true;
};

/** Signs of one session that are written down. */
export const maxLoops = 20;

/** `private-address`: the name is allowed, but leads to this machine or into a private network. */
export type NetworkRefusal =
  'not-listed' | 'port-not-listed' | 'private-address' | 'not-a-host' | 'too-many';

export type RefusedHost = {readonly host: string; readonly port: number};

/** Refused hosts of one session that are written down. */
export const maxRefusedHosts = 50;

export type Purpose =
  | {readonly for: 'plan'; readonly run: RunId; readonly round: number; readonly asking: 1 | 2}
  /** Without `on`: before its first attempt. `change`: again, in its own worktree; `merge`: in the one for merges. */
  | {readonly for: 'setup'; readonly task: TaskId; readonly on?: 'change' | 'merge'}
  /** Of a worktree that no task owns: the planner's, or the one for merges before anything is merged. */
  | {readonly for: 'worktree-setup'; readonly run: RunId; readonly owner: WorktreeOwner}
  /** A check on the untouched base. */
  | {
      readonly for: 'baseline';
      readonly run: RunId;
      readonly check: string;
      readonly command: string;
    }
  | {readonly for: 'attempt'; readonly task: TaskId; readonly attempt: number}
  | {readonly for: 'takeover'; readonly task: TaskId}
  | {
      readonly for: 'check';
      readonly task: TaskId;
      readonly attempt: number;
      readonly check: string;
      readonly on: 'change' | 'merge';
    }
  /** What an agent keeps open in its task's worktree, from call to call and from attempt to attempt. A bare shell has no program. */
  | {readonly for: 'shell'; readonly task: TaskId; readonly name: string; readonly program?: string}
  | {readonly for: 'service'; readonly service: string}
  /** `prompt` is typed once, when the agent that is started takes one. */
  | {
      readonly for: 'person';
      readonly name: string;
      readonly command: readonly string[];
      readonly directory: string;
      readonly prompt?: string;
    };

export type SessionLife =
  | {readonly at: 'asked'}
  /** Its keeper is there and journaled; only now may it be told to go. */
  | {readonly at: 'created'}
  | {readonly at: 'running'; readonly since: number}
  | {
      readonly at: 'exited';
      readonly when: number;
      readonly code: number | null;
      readonly signal: string | null;
    }
  /** Its keeper died without an exit status. */
  | {readonly at: 'lost'; readonly when: number; readonly why: string};

/** A process that waits for input, with the question that stands on its screen. */
export type Waiting = {
  readonly proof: 'proven' | 'inferred';
  /** Echo is off: the answer is a person's alone and is never written down. */
  readonly secret: boolean;
  readonly question: string;
  /** Who says so, if not the kernel. */
  readonly source?: AskSource;
  /** What its dialog offers, in order. */
  readonly options?: readonly string[];
  /** Nobody asks: a shell, or the like, stands at its own prompt. */
  readonly idle?: true;
  readonly since: number;
};

/** The agent told it by itself, or a dialog that is known to be its own stands on the screen. */
export type AskSource = 'agent' | 'screen';

/** Text that somebody asked to be typed. It is typed at most once. */
export type Input = {
  readonly number: number;
  readonly text: string;
  readonly at: number;
  readonly fate: 'pending' | 'typed' | 'uncertain';
  /** The file whose text is typed as a prompt, when the agent takes one. */
  readonly prompt?: string;
  /** The question of the dialog that it answers; `text` is the number of the option. */
  readonly answers?: string;
  /** Why it is uncertain, if that is known. */
  readonly why?: string;
};

/** It is open until a person has answered it, or its session has ended. */
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

/** The oldest of its questions that nobody has answered. */
export function openQuestionOf(session: Session): AskedQuestion | undefined {
  return isLive(session) ? session.questions?.find(({answer}) => answer === undefined) : undefined;
}

/** How long it has waited for a person by now: for an answer at its terminal, or to what it asked through its tools. */
export function waitedFor({waiting, waited = 0, questions = []}: Session, at: number): number {
  const asked = questions.reduce(
    (sum, question) => sum + (question.answer?.at ?? at) - question.at,
    0,
  );
  return waited + (waiting === undefined ? 0 : at - waiting.since) + asked;
}

/** How long it has run; what it waited for a person is not its time. */
export function workedFor(session: Session, at: number): number {
  return session.life.at === 'running' ? at - session.life.since - waitedFor(session, at) : 0;
}

/** When it will have worked for so long. Nothing while it waits for a person: its clock stands still. */
export function deadlineOf(
  session: Session,
  limit: number,
): {readonly until: number; readonly waited: number} | undefined {
  if (
    session.life.at !== 'running' ||
    session.waiting !== undefined ||
    openQuestionOf(session) !== undefined
  )
    return undefined;
  const waited = waitedFor(session, session.life.since);
  return {until: session.life.since + limit + waited, waited};
}

/** A shell, or the like, that a person opened or took over stands at its own prompt: it waits for them, and they know. In anybody else's session nobody would come. */
export function isAtPrompt({purpose, waiting}: Session): boolean {
  return waiting?.idle === true && (purpose.for === 'person' || purpose.for === 'takeover');
}

export function isLive(session: Session): boolean {
  return session.life.at !== 'exited' && session.life.at !== 'lost';
}
