import {isRecord} from '../shared/index.ts';
import {
  type Checks,
  isCount,
  isExtent,
  isText,
  oneOfValues,
  undefinedOr,
  parseFields,
} from './fields.ts';
import {exitChecks, type ExitRecord, parseExitRecord} from './session-files.ts';

/** The only version there will be; see docs/keeper-protocol.md. */
export const keeperProtocol = 1;

export type ProtocolRange = {readonly min: number; readonly max: number};

/** Requests to a keeper. */
export type KeeperRequest =
  | {readonly type: 'hello'; readonly protocol: ProtocolRange; readonly token: string}
  | {readonly type: 'go'}
  | {readonly type: 'attach'; readonly from: number}
  | {readonly type: 'detach'}
  | {readonly type: 'resize'; readonly columns: number; readonly rows: number}
  | {readonly type: 'signal'; readonly name: string}
  | {readonly type: 'status'}
  | {readonly type: 'release'};

export type KeeperStatus = {
  readonly session: string;
  readonly phase: 'ready' | 'running' | 'exited';
  readonly pid?: number;
  /** The end of the log. The saved parts are 0 to `head`, and `first` to `bytes`. */
  readonly bytes: number;
  readonly head: number;
  readonly first: number;
  readonly columns: number;
  readonly rows: number;
  readonly lastInput: number;
  /**
   * Why nothing is read from the terminal: the log cannot be written. An error code such as
   * `ENOSPC`.
   */
  readonly stalled?: string;
  /** What people typed. Absent: nothing yet, or a keeper of an older release. */
  readonly typing?: Typing;
  readonly exit?: ExitRecord;
};

/** Times in milliseconds since 1970. */
export type Typing = {
  /** The last key that is text. */
  readonly at: number;
  /** Characters that were typed and not submitted. */
  readonly draft: number;
  /** When text was last submitted with Enter. */
  readonly enteredAt?: number;
};

/** Answers of a keeper, and its unrequested messages. */
export type KeeperReply =
  | ({readonly type: 'welcome'; readonly protocol: number} & KeeperStatus)
  | ({readonly type: 'status'} & KeeperStatus)
  | {readonly type: 'going'; readonly pid?: number}
  | {readonly type: 'attached'; readonly from: number}
  | {readonly type: 'detached'}
  | {readonly type: 'gap'; readonly from: number; readonly to: number}
  | {readonly type: 'typed'; readonly id: number}
  | {
      readonly type: 'resized';
      readonly columns: number;
      readonly rows: number;
      readonly offset: number;
    }
  | {readonly type: 'signalled'; readonly name: string}
  | ({readonly type: 'exit'} & ExitRecord)
  | {readonly type: 'released'}
  | {readonly type: 'unsupported'; readonly verb: string}
  | {
      readonly type: 'error';
      readonly code: KeeperErrorCode;
      readonly verb?: string;
      readonly id?: number;
      readonly have?: ProtocolRange;
    };

export type KeeperErrorCode =
  | 'version'
  | 'token' // of hello; the connection is closed
  | 'malformed' // a known verb without what it needs
  | 'offset' // attach beyond the end
  | 'not-running' // input or signal before go or after exit
  | 'running' // release before exit
  | 'busy' // more input waits to be typed than is held
  | 'disk' // what must be durable first could not be written
  | 'signal' // no signal of that name
  | 'denied'; // the system does not let this signal through

/** A request, or why it is not one. */
export type KeeperRequestParseResult =
  | KeeperRequest
  | {readonly type: 'unsupported'; readonly verb: string}
  | {readonly type: 'malformed'; readonly verb: string};

type ChecksOf<M extends {readonly type: string}> = {
  readonly [T in M['type']]: Checks<Extract<M, {readonly type: T}>>;
};

const requests: ChecksOf<KeeperRequest> = {
  hello: {protocol: isRange, token: isText},
  go: {},
  attach: {from: isCount},
  detach: {},
  resize: {columns: isExtent, rows: isExtent},
  signal: {name: isText},
  status: {},
  release: {},
};

function isTyping(value: unknown): value is Typing {
  return (
    isRecord(value) &&
    isCount(value['at']) &&
    isCount(value['draft']) &&
    undefinedOr(isCount)(value['enteredAt'])
  );
}

const status: Checks<KeeperStatus> = {
  session: isText,
  phase: oneOfValues('ready', 'running', 'exited'),
  pid: undefinedOr(isCount),
  bytes: isCount,
  head: isCount,
  first: isCount,
  columns: isExtent,
  rows: isExtent,
  lastInput: isCount,
  stalled: undefinedOr(isText),
  typing: undefinedOr(isTyping),
  exit: undefinedOr((value) => 'fields' in parseExitRecord(value)),
};

const replies: ChecksOf<KeeperReply> = {
  welcome: {...status, protocol: isCount},
  status,
  going: {pid: undefinedOr(isCount)},
  attached: {from: isCount},
  detached: {},
  gap: {from: isCount, to: isCount},
  typed: {id: isCount},
  resized: {columns: isExtent, rows: isExtent, offset: isCount},
  signalled: {name: isText},
  exit: exitChecks,
  released: {},
  unsupported: {verb: isText},
  error: {
    code: isText,
    verb: undefinedOr(isText),
    id: undefinedOr(isCount),
    have: undefinedOr(isRange),
  },
};

export function parseKeeperRequest(value: unknown): KeeperRequestParseResult {
  const verb = isRecord(value) && isText(value['type']) ? value['type'] : '';
  if (!isKnown(requests, verb)) return {type: 'unsupported', verb};
  const reading = parseFields<object>(value, requests[verb]);
  return 'fields' in reading
    ? ({type: verb, ...reading.fields} as KeeperRequest)
    : {type: 'malformed', verb};
}

/** Undefined for replies that this version does not know. */
export function parseKeeperReply(value: unknown): KeeperReply | undefined {
  const type = isRecord(value) && isText(value['type']) ? value['type'] : '';
  if (!isKnown(replies, type)) return undefined;
  const reading = parseFields<object>(value, replies[type]);
  return 'fields' in reading ? ({type, ...reading.fields} as KeeperReply) : undefined;
}

function isKnown<T extends object>(table: T, name: string): name is Extract<keyof T, string> {
  return Object.hasOwn(table, name);
}

function isRange(value: unknown): value is ProtocolRange {
  return isRecord(value) && isCount(value['min']) && isCount(value['max']);
}
