import type {AgentReport, AgentRole, DeclaredAgent, Usage} from '../domain/index.ts';
import type {Environment} from '../shared/index.ts';
import type {AgentStream} from './stream/agent-stream.ts';

/**
 * How one agent is started and read: data and pure functions. The caller knows nothing else about
 * the agent.
 */
export type Driver = {
  readonly name: string;
  /** The agent is orchestra itself: `orchestra` as first argument is not looked up on PATH. */
  readonly isBuiltIn: boolean;
  /** The command that is looked up on PATH to see whether the agent is installed. */
  readonly program: string;
  readonly commandOf: (job: Job) => AgentCommand | AgentRefusal;
  readonly readOutcome: (ended: ProcessEnd) => AgentOutcome;
  readonly screen: ScreenPatterns;
  /**
   * A planner can resume its conversation and gets only what is new. Absent: each plan starts a new
   * conversation.
   */
  readonly resumesPlans?: true;
  /**
   * A worker resumes its conversation and gets only what is new; so does every agent with
   * `resumesPlans`. Absent: each attempt gets everything.
   */
  readonly resumesWork?: true;
  /**
   * The arguments of a headless start, changed so that it resumes a conversation. A message of the
   * person restarts the agent with them. Absent: it cannot be restarted under a message.
   */
  readonly resumeArgv?: (argv: readonly string[], conversation: string) => readonly string[];
  /** How a headless worker takes messages while it works. Absent: a message restarts it. */
  readonly channel?: AgentChannel;
  /**
   * The rules are passed as a system prompt at every start, because a conversation does not hold
   * them (see `splitRules`).
   */
  readonly hasRulesApart?: true;
  /**
   * Names of the environment variables that the program needs: credentials, endpoints, paths of
   * settings. A name may end in `*`.
   */
  readonly needs?: readonly string[];
  /**
   * Directories below the home that the program must be able to write. In a sandbox, each task has
   * its own copies.
   */
  readonly stateDirectories?: (home: string, env: Environment) => readonly string[];
  /**
   * Files in there that run code in or configure later sessions, also the person's: an agent must
   * not write or create them.
   */
  readonly settings?: (home: string, env: Environment) => AgentSettings;
  /**
   * The person's settings file that `commandOf` needs to read. The command then names a file to
   * show in its place.
   */
  readonly settingsFile?: (home: string, env: Environment) => string;
  /** Added to the environment if the state is the session's own, so that all of it stays there. */
  readonly ownStateEnv?: (home: string, env: Environment) => Readonly<Record<string, string>>;
  /**
   * Hosts that the program connects to, including those that the environment names, in the form of
   * an allow list.
   */
  readonly hosts?: (env: Environment) => readonly string[];
  /**
   * How the structured output is parsed. Absent: there is none, and the output is shown unchanged.
   */
  readonly stream?: AgentStream;
  /**
   * A sentence about a variable that the agent's own settings need but will not get, and what to
   * do. `read` returns the text of a file, if it exists.
   */
  readonly lacks?: (
    passed: Environment,
    home: string,
    read: (file: string) => string | undefined,
  ) => string | undefined;
  /** A sentence about what the agent lacks outside our sandbox. */
  readonly lacksUnconfined?: string;
  /** A sentence about how to log in. */
  readonly account?: string;
  /** How a worker or planner in the agent's own interface is read. Absent: it has none. */
  readonly interactive?: InteractiveAgent;
};

/** How orchestra learns what an agent does in its own interface, without reading the screen. */
export type InteractiveAgent = {
  /** Parses one line of the signals file. Undefined if it means nothing. Hostile input. */
  readonly parseSignal: (line: string) => AgentSignal | undefined;
  /**
   * The roles in which the agent's whole column of docs/agents.md is shown with the real program.
   * Only there the app starts the interface by default. @default none
   */
  readonly provenAs?: readonly AgentRole[];
  /** Where the agent itself records the conversation. Absent: its signals carry the usage. */
  readonly transcript?: {
    /** The directory that contains the file, at any depth. */
    readonly directory: (home: string, env: Environment) => string;
    /** Whether a path relative to that directory (with /) is the record of this conversation. */
    readonly isRecordOf: (relativePath: string, conversation: string) => boolean;
    /**
     * The record as it must be for the agent to continue the conversation in another folder. Paths
     * are relative to `directory`. Hostile input.
     */
    readonly moveTo: (record: ConversationRecord, worktree: string) => ConversationRecord;
    /** Never throws. */
    readonly parse: (text: string) => TranscriptSummary;
  };
};

/** Prompt and messages on standard input, a line each, for as long as the agent works. */
export type AgentChannel = {
  /** What a headless start with a channel has among its arguments. An older version rejects them. */
  readonly options: readonly string[];
  /** A prompt or a message as a line, without the line break. */
  readonly format: (text: string) => string;
};

export type ConversationRecord = {readonly path: string; readonly text: string};

/** What an agent's own record says about its conversation. */
export type TranscriptSummary = {
  /** Of the whole conversation. */
  readonly usage?: Usage;
  /** The last text of the agent. */
  readonly words?: string;
  /** The error that ended the last turn, for agents that do not report it by a signal. */
  readonly error?: string;
  /** The end of the last turn is not recorded yet. */
  readonly isOpen?: true;
};

/** What an agent reports about itself while it runs in its own interface. */
export type AgentSignal = {
  readonly kind: 'turn-began' | 'turn-ended' | 'asks' | 'started' | 'ended';
  readonly conversation?: string;
  /** Last assistant message of the turn, where the signal carries it. */
  readonly words?: string;
  /** An error the turn ended with, where the signal carries it. */
  readonly error?: string;
  /** Usage of the whole conversation so far, where the signal carries it. */
  readonly usage?: Usage;
};

export type AgentSettings = {
  readonly files: readonly string[];
  readonly directories: readonly string[];
  /** Of `files`, those that are JSON and not accepted empty: a missing one is shown as `{}`. */
  readonly emptyObjects?: readonly string[];
  /**
   * Files that the program does not accept empty: a missing one must not be created, not even as a
   * mount point.
   */
  readonly filesIfThere?: readonly string[];
  /** Directories that are shown read-only if they exist, and never created. */
  readonly directoriesIfThere?: readonly string[];
  /**
   * Login files. Tokens are renewed while the agent runs, so what it writes here goes to the
   * person's own files.
   */
  readonly credentials?: readonly string[];
  /** Files that the agent reads and rewrites: each task starts with a copy of the person's. */
  readonly copied?: readonly string[];
  /**
   * Files of the task's own state in which the questions of a first start are answered in advance.
   */
  readonly answered?: readonly AnsweredFile[];
};

export type AnsweredFile = {
  /** Path in a state directory. */
  readonly file: string;
  /** The person's file, which the first start of a task copies. */
  readonly from: string;
  /**
   * The text of the file with answers for these worktrees, which are ours, and for no other folder.
   */
  readonly answer: (text: string | undefined, worktrees: readonly string[]) => string;
};

export type AgentRefusal = {readonly refused: string};

export type AgentCommand = {
  /** The program, by name, and its arguments; never passed through a shell. */
  readonly argv: readonly string[];
  /** Added to the environment that every session gets. */
  readonly env: Readonly<Record<string, string>>;
  /** A file that is its standard input instead of the terminal (see `toTerminalArgv`). */
  readonly stdin?: string;
  /** Typed into the terminal once, when the agent is ready for a prompt. */
  readonly input?: AgentInput;
  /**
   * Orchestra itself runs the agent, with these arguments; it shows the stream and writes the
   * outcome (see `toTerminalArgv`).
   */
  readonly renderer?: readonly string[];
  /** In the sandbox, `from` is shown at `path`. Without a sandbox it has no effect. */
  readonly inPlace?: readonly {readonly path: string; readonly from: string}[];
  /** Files that are written before the start, readable for us alone. */
  readonly files?: readonly {readonly path: string; readonly text: string}[];
};

export type AgentInput = {
  readonly text: string;
  /**
   * A regular expression: wait until a line of the screen matches. Input that is typed before the
   * agent is ready may be lost.
   */
  readonly when?: string;
};

/** Regular expressions for single lines of the agent's screen. */
export type ScreenPatterns = {
  /** The agent is ready for a prompt. */
  readonly ready?: string;
  /** It queues a prompt that is typed while it works, or takes it into account at once. */
  readonly takesInputAtWork?: true;
  /** That line also stands there while text stands in the input. */
  readonly isReadyWithText?: true;
  /** The agent asks the person, for example for permission. */
  readonly question?: string;
  /**
   * How dialogs list their options: as numbered lines, where a digit selects one at once, or side
   * by side, selected with the arrow keys. Absent: unknown.
   */
  readonly options?: 'list' | 'row';
};

/** How the agent's process ended. */
export type ProcessEnd = {
  /** Null if a signal ended it. */
  readonly code: number | null;
  /** The output as plain text without escape sequences. The end of it is enough. */
  readonly output: string;
  /** The text of the outcome file, if there is one. */
  readonly outcome?: string;
};

/**
 * How an agent's work ended. In order of trust: exit code, outcome file, patterns in the output.
 */
export type AgentOutcome =
  | ({readonly at: 'finished'} & AgentText & {
        readonly report?: AgentReport;
        /** What the agent was not allowed to do, or could not write. */
        readonly denied?: readonly string[];
      })
  /** The agent reported that it cannot do the task; trying again would give the same answer. */
  | ({readonly at: 'gave-up'} & AgentText)
  | ({readonly at: 'failed'} & AgentText)
  /**
   * The agent was ended from outside: by a signal, for lack of memory, with its parent process. It
   * is resumed; nothing failed.
   */
  | ({readonly at: 'interrupted'} & AgentText)
  /**
   * The conversation to resume does not exist, and the agent did nothing. The caller decides what
   * follows.
   */
  | ({readonly at: 'conversation-lost'} & AgentText)
  /** The agent's service rejects requests: no key, no quota. Not the task's fault. */
  | ({readonly at: 'unavailable'; readonly until?: number} & AgentText);

type AgentText = {
  readonly words: string;
  readonly usage?: Usage;
  /** The agent's own id of its conversation, to resume it. */
  readonly conversation?: string;
};

/** What an agent is started for. */
export type Job = {
  /**
   * `plan` must not write; `work` changes the worktree; `takeover` gives a person the agent's own
   * screen.
   */
  readonly mode: 'plan' | 'work' | 'takeover';
  /** The worktree, which is also the working directory. */
  readonly directory: string;
  /** The whole prompt, the rules first. */
  readonly prompt: string;
  /** The same text in a private file, because an argument holds at most 128 KiB. */
  readonly promptFile: string;
  /** Where the agent or its wrapper may write its outcome (see `parseOutcomeFile`). */
  readonly outcomeFile: string;
  /** Where messages of the person to a worker arrive. Absent: there are none. */
  readonly inbox?: string;
  /** The conversation to resume. Absent: start a new one. */
  readonly conversation?: string;
  readonly model?: string;
  /** The person's own settings file of the agent (`settingsFile`), and its text if it exists. */
  readonly ownSettings?: {readonly path: string; readonly text?: string};
  /**
   * The agent runs in our sandbox and can only write its worktree, so its shell needs no further
   * permission.
   */
  readonly isConfined?: boolean;
  /** The agent's own sandbox works inside ours, which it does not for root. @default true */
  readonly nestsSandboxes?: boolean;
  /** The task's id in its plan: `t3`. */
  readonly task?: string;
  /** Counted from 1; from 2 on it is a repair. */
  readonly attempt?: number;
  /** The file that the agent `playbook` follows. */
  readonly playbook?: string;
  /** How many tokens this start may use before it is stopped. @default no limit */
  readonly tokenLimit?: number;
  /** The tool servers (MCP) of this session. */
  readonly tools?: JobTools;
  /** Run the agent's own interface instead of its headless mode; with `plan` or `work`. */
  readonly isInteractive?: true;
  /**
   * The file to which the agent's hooks append one JSON line per signal; only with
   * `isInteractive`.
   */
  readonly signalsFile?: string;
};

export type JobTools = {
  /** Our own server, `orchestra`: program and arguments. */
  readonly argv: readonly string[];
  /** Added to the agent's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Other servers of the task. Each runs through ours with `--server NAME`, which shortens its
   * answers.
   */
  readonly servers?: readonly string[];
  /** How long one call may wait for a person. @default 600000 */
  readonly waitMs?: number;
};

/** An agent that a project declares: any program that accepts a prompt. */
export type AgentSpec = DeclaredAgent;

export type AgentPatterns = NonNullable<DeclaredAgent['patterns']>;

export type Agent = {
  readonly name: string;
  /** Absent: built in, always available. */
  readonly program?: AgentProgram;
};

export type AgentProgram = {
  readonly command: string;
  readonly npmPackage: string;
  readonly versionArguments: readonly string[];
  /** Undefined if another program of that name answered. */
  readonly readVersion: (output: string) => string | undefined;
  /** Keeps it from updating itself, or asking the network whether it should. */
  readonly quiet: Readonly<Record<string, string>>;
  /**
   * The line that the agent prints if the conversation to resume does not exist, before it calls
   * any service.
   */
  readonly lost: RegExp;
};

/**
 * Parses a version that is alone on a line between the given texts. The answer of another program
 * has no such line.
 */
export function versionOnALine(before = '', after = ''): (output: string) => string | undefined {
  return (output) => {
    for (const line of output.split(/\r?\n/)) {
      if (!line.startsWith(before) || !line.endsWith(after)) continue;
      const version = /^v?(?<version>\d+\.\d+\.\d+[-+.0-9A-Za-z]*)$/.exec(
        line.slice(before.length, line.length - after.length),
      )?.groups?.['version'];
      if (version !== undefined) return version;
    }

    return undefined;
  };
}
