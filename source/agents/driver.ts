import type {RejectedAlternative, Usage} from '../domain/index.ts';
import type {Job} from './job.ts';
import type {AgentStream} from './stream/agent-stream.ts';

/** How one agent is driven: data and pure functions. Who starts it knows nothing of the agent but this. */
export type Driver = {
  readonly name: string;
  /** It is this very program: `orchestra` as first argument is not looked for on PATH. */
  readonly isBuiltIn: boolean;
  /** What is looked for on PATH to say whether the agent is there. */
  readonly program: string;
  readonly commandOf: (job: Job) => AgentCommand | Refusal;
  readonly readOutcome: (ended: Ended) => AgentOutcome;
  readonly screen: ScreenPatterns;
  /** A planner can go on with its conversation, too: it is then told only what is new. Absent: each plan is made afresh. */
  readonly resumesPlans?: true;
  /** Names of the environment variables that its program needs: credentials, endpoints, where its settings are. A name may end in `*`. */
  readonly needs?: readonly string[];
  /** What of the home its program must be able to write. In a sandbox each task has its own in their place. */
  readonly stateDirectories?: (home: string, env: Environment) => readonly string[];
  /** What in there runs or rules later sessions, a person's own too: an agent must not write it, nor make it. */
  readonly settings?: (home: string, env: Environment) => AgentSettings;
  /** A settings file of the person's that `commandOf` wants to read: it then says what stands in its place. */
  readonly settingsFile?: (home: string, env: Environment) => string;
  /** Beside its environment where that state is the session's own, so that all of it is kept there. */
  readonly ownStateEnv?: (home: string, env: Environment) => Readonly<Record<string, string>>;
  /** Hosts that its program asks for answers, as a list of allowed hosts has them; those that the environment names among them. */
  readonly hosts?: (env: Environment) => readonly string[];
  /** How its structured stream is read. Absent: it has none, and is shown as it is. */
  readonly stream?: AgentStream;
  /** What in its own settings names a variable that it will not get, and what to do: a sentence. `read` gives the text of a file, if there is one. */
  readonly lacks?: (
    passed: Environment,
    home: string,
    read: (file: string) => string | undefined,
  ) => string | undefined;
  /** What it lacks where it does not run in our sandbox: a sentence. */
  readonly lacksUnconfined?: string;
  /** What a person does who has no account with it yet: a sentence. */
  readonly account?: string;
};

export type AgentSettings = {
  readonly files: readonly string[];
  readonly directories: readonly string[];
  /** Files that its program does not read when they are empty: one that is not there must not be made, not even to keep its place. */
  readonly filesIfThere?: readonly string[];
  /** Directories that are read where they are there, and made by nobody. */
  readonly directoriesIfThere?: readonly string[];
  /** What it logs in with. Tokens are renewed while it runs, so what it writes here is the person's from then on. */
  readonly credentials?: readonly string[];
  /** What it reads and rewrites: each task begins with a copy of the person's. */
  readonly copied?: readonly string[];
  /** Where what it asks at its first start is answered ahead, in the state that is one task's own. */
  readonly answered?: readonly AnsweredFile[];
};

export type AnsweredFile = {
  /** In a state directory. */
  readonly file: string;
  /** The person's, which the first start of a task begins from. */
  readonly from: string;
  /** What it holds with the answers for these worktrees, which are ours, and for no other folder. */
  readonly answer: (text: string | undefined, worktrees: readonly string[]) => string;
};

type Environment = Readonly<Record<string, string | undefined>>;

export type Refusal = {readonly refused: string};

export type AgentCommand = {
  /** The program first, by its name; never for a shell. */
  readonly argv: readonly string[];
  /** Beside the environment that every session gets. */
  readonly env: Readonly<Record<string, string>>;
  /** A file that is its standard input instead of the terminal (see `terminalArgvOf`). */
  readonly stdin?: string;
  /** Typed into the terminal, once, when it takes a prompt. */
  readonly input?: AgentInput;
  /** It is run by this very program, with these arguments, which shows its stream and leaves the outcome (see `terminalArgvOf`). */
  readonly renderer?: readonly string[];
  /** In the sandbox the program finds `from` at `path`; without one it finds what is there. */
  readonly inPlace?: readonly {readonly path: string; readonly from: string}[];
  /** Written, for us alone, before it is started. */
  readonly files?: readonly {readonly path: string; readonly text: string}[];
};

export type AgentInput = {
  readonly text: string;
  /** A regular expression: not before a line of the screen matches. What is typed before an agent is ready may be lost. */
  readonly when?: string;
};

/** Regular expressions for single lines of the agent's screen. */
export type ScreenPatterns = {
  /** It takes a prompt now. */
  readonly ready?: string;
  /** It asks for permission, or something else of a person. */
  readonly question?: string;
  /** How its dialogs offer their answers: numbered lines, of which a digit takes one at once, or side by side, chosen with the arrow keys. Absent: in any way, or in none. */
  readonly options?: 'list' | 'row';
};

/** How the agent's process ended. */
export type Ended = {
  /** Nothing: by a signal. */
  readonly code: number | null;
  /** What it printed, as plain text: no escape sequences. The end is enough. */
  readonly output: string;
  /** The text of the outcome file, if there is one. */
  readonly outcome?: string;
};

/** What came of it. The order of trust: exit code, outcome file, words in the output. */
export type AgentOutcome =
  | ({readonly at: 'finished'} & Said & {
        readonly report?: AgentReport;
        /** What it was not allowed to do, or could not write. */ readonly denied?: readonly string[];
      })
  /** It said itself that it cannot; trying again would bring the same words. */
  | ({readonly at: 'gave-up'} & Said)
  | ({readonly at: 'failed'} & Said)
  /** Something ended it before it had said an end: a signal, the kernel for want of memory, the death of what ran it. It goes on; nothing failed. */
  | ({readonly at: 'interrupted'} & Said)
  /** It has not the conversation that it was to go on with, and did nothing. Whether it was to go on with one, and what follows, is not its to say. */
  | ({readonly at: 'conversation-lost'} & Said)
  /** Its service does not serve: no key, no quota. Not the task's fault. */
  | ({readonly at: 'unavailable'; readonly until?: number} & Said);

type Said = {
  readonly words: string;
  readonly usage?: Usage;
  /** The agent's own name for its conversation, to resume it. */
  readonly conversation?: string;
};

/** For the summary: what only the agent can say. */
export type AgentReport = {
  readonly rootCause?: string;
  readonly decisions?: readonly string[];
  readonly rejected?: readonly RejectedAlternative[];
};
