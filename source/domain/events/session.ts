import type {SessionId, TaskId} from '../ids.ts';
import type {AskSource, LoopKind, NetworkRefusal, Purpose, TurnSource, Usage} from '../session.ts';
import type {ServiceCondition, ServiceFailure, ServiceSpec} from '../service.ts';

export type SessionEvents = {
  /** `agent`: the agent of an attempt or a takeover, if it is not the one of the run's request. */
  'session-asked': {
    readonly session: SessionId;
    readonly purpose: Purpose;
    readonly agent?: string;
  };
  'session-created': {readonly session: SessionId};
  'session-running': {readonly session: SessionId};
  'session-exited': {
    readonly session: SessionId;
    readonly code: number | null;
    readonly signal: string | null;
  };
  'session-lost': {readonly session: SessionId; readonly why: string};
  'session-stop-asked': {readonly session: SessionId};
  /** The session should end and could not be ended, after several tries. */
  'session-unstoppable': {readonly session: SessionId; readonly words: string};
  /**
   * `source` is set when the kernel did not report it: the agent said so, or a known dialog is on
   * the screen. `options` are those of the dialog, or of a plain program's list; then `keys` has what
   * to type for each, and `readsKeys` says that it takes single keys, without Enter. `idle`: a shell
   * or a similar program is at its own prompt.
   */
  'session-waiting': {
    readonly session: SessionId;
    readonly proof: 'proven' | 'inferred';
    readonly secret: boolean;
    readonly question: string;
    readonly source?: AskSource;
    readonly options?: readonly string[];
    readonly keys?: readonly string[];
    readonly readsKeys?: true;
    readonly idle?: true;
  };
  'session-moved-on': {readonly session: SessionId};
  /**
   * `prompt` names the file whose text is typed when the agent is ready; `text` is then only its
   * beginning. `answers` is the question of the dialog whose option `text` selects.
   */
  'input-asked': {
    readonly session: SessionId;
    readonly input: number;
    readonly text: string;
    readonly prompt?: string;
    readonly answers?: string;
  };
  'input-typed': {readonly session: SessionId; readonly input: number};
  'input-uncertain': {readonly session: SessionId; readonly input: number; readonly why?: string};
  /** A person answered a secret prompt; only the length is recorded. */
  'secret-typed': {readonly session: SessionId; readonly length: number};
  /**
   * Total usage of the session. `isPartial`: counted while it runs; the count at its end replaces
   * it.
   */
  'usage-counted': {readonly session: SessionId; readonly usage: Usage; readonly isPartial?: true};
  /** The agent's service fails, and the agent has retried it `times` times since `since`. */
  'retry-noticed': {
    readonly session: SessionId;
    readonly since: number;
    readonly times: number;
    readonly words: string;
    readonly status?: number;
  };
  'retry-ended': {readonly session: SessionId};
  /**
   * The agent seems to be in a loop. The same `key` is the same sign; for `unchanged`, `times`
   * counts minutes.
   */
  'loop-noticed': {
    readonly session: SessionId;
    readonly number: number;
    readonly kind: LoopKind;
    readonly key: string;
    readonly evidence: string;
    readonly times: number;
    readonly since: number;
  };
  /** A person acknowledged the sign; the agent continues. */
  'loop-seen': {readonly session: SessionId; readonly number: number};
  /**
   * The agent, in its own interface, got a prompt: from a person at its terminal, or from
   * orchestra. `signals`: how many lines of its signals were handled.
   */
  'turn-began': {
    readonly session: SessionId;
    readonly by: 'person' | 'orchestra';
    readonly signals?: number;
  };
  /** The agent has answered and waits for a prompt. */
  'turn-ended': {
    readonly session: SessionId;
    readonly source: TurnSource;
    readonly signals?: number;
    readonly words?: string;
    readonly error?: string;
    /** The agent said in its last message that its work is complete. */
    readonly done?: true;
  };
  /** The agent said through its tools that its work is complete; the end of its turn ends it. */
  'done-reported': {readonly session: SessionId};
  /** The same session, with the same conversation, works on the next attempt. */
  'session-continued': {
    readonly session: SessionId;
    readonly task: TaskId;
    readonly attempt: number;
  };
  /** A person's unfinished text stands in the agent's input, so nothing is typed. */
  'input-held': {readonly session: SessionId; readonly input: number};
  'conversation-known': {readonly session: SessionId; readonly conversation: string};
  /**
   * The agent does not have the conversation that this session should continue, and did nothing. A
   * session with a new conversation takes its place in the same attempt.
   */
  'conversation-lost': {readonly session: SessionId; readonly words: string};
  /** An agent called one of our tools; `words` summarises the input without secrets. */
  'tool-called': {
    readonly session: SessionId;
    readonly tool: string;
    readonly words: string;
    readonly isError?: boolean;
  };
  /**
   * A sandboxed session tried to reach a host that it may not reach. Recorded once for each host
   * and port; `times` is the number of tries until then. `host` is `*` for all hosts beyond the
   * limit.
   */
  'network-refused': {
    readonly session: SessionId;
    readonly host: string;
    readonly port: number;
    readonly why: NetworkRefusal;
    readonly times: number;
  };
  'question-asked': {
    readonly session: SessionId;
    readonly number: number;
    readonly question: string;
    readonly options?: readonly string[];
  };
  'question-answered': {
    readonly session: SessionId;
    readonly number: number;
    readonly text: string;
  };
};

export type ServiceEvents = {
  'service-declared': {readonly spec: ServiceSpec};
  'service-wanted': {readonly service: string; readonly by: 'person' | TaskId};
  /**
   * `by` a task: its agent no longer needs the service. Without `by`: a person stopped it, and only
   * a person starts it again.
   */
  'service-stopped': {readonly service: string; readonly by?: TaskId};
  'service-restarted': {readonly service: string};
  'service-observed': {readonly service: string; readonly condition: ServiceCondition};
  'port-taken': {readonly service: string; readonly owner: string};
  'service-went-down': {readonly service: string};
  /** `deaths`: how often in a row it died early. */
  'service-backed-off': {
    readonly service: string;
    readonly until: number;
    readonly deaths?: number;
  };
  'service-failed': {readonly service: string; readonly why: ServiceFailure};
};
