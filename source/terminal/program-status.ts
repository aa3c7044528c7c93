import {sanitizeLine} from './sanitize.ts';

/**
 * What a program reports about itself by OSC 7501 (the program status protocol, revision 0.3).
 * Never trusted, only shown.
 */
export type ProgramStatus = {
  /** Empty for the program itself; `task-1/tests` for a part of its work. */
  readonly id: string;
  readonly state: 'idle' | 'working' | 'blocked' | 'done' | 'error';
  /** What blocks it. */
  readonly kind?: 'permission' | 'question' | 'auth';
  readonly progress?: number;
  readonly app?: string;
  readonly title?: string;
  readonly message?: string;
};

/**
 * The statuses after a report. A report replaces the one with its id; a malformed one changes
 * nothing.
 */
export function withReport(
  statuses: readonly ProgramStatus[],
  payload: string,
): readonly ProgramStatus[] {
  const fields = new Map(
    [...payload.matchAll(/(?:^|:)([a-z]{1,16})=([\w.,+/=-]*)(?=:|$)/g)].map(
      ([, key = '', value = '']) => [key, value],
    ),
  );
  const id = fields.get('id') ?? '';
  if (id !== '' && !(id.length <= 128 && /^[\w.+-]{1,32}(?:\/[\w.+-]{1,32}){0,7}$/.test(id)))
    return statuses;
  if (fields.get('state') === 'clear')
    return statuses.filter(
      (status) => id !== '' && status.id !== id && !status.id.startsWith(`${id}/`),
    );
  const status = parseStatus(id, fields);
  if (status === undefined) return statuses;
  return [...statuses.filter((other) => other.id !== id), status].slice(-maxStatuses);
}

/** The statuses when a shell prompt begins: nothing works or waits any more; results stay. */
export function withoutUnfinished(statuses: readonly ProgramStatus[]): readonly ProgramStatus[] {
  return statuses.filter(({state}) => state !== 'working' && state !== 'blocked');
}

const maxStatuses = 64;
const maxMessageLength = 200;
const maxTitleLength = 80;

function parseStatus(id: string, fields: ReadonlyMap<string, string>): ProgramStatus | undefined {
  const state = pick(['idle', 'working', 'blocked', 'done', 'error'] as const, fields.get('state'));
  const kind =
    state === 'blocked'
      ? pick(['permission', 'question', 'auth'] as const, fields.get('kind'))
      : undefined;
  const progress = /^(?:100|\d{1,2})$/.exec(fields.get('progress') ?? '')?.[0];
  const app = /^[\w.+-]{1,32}$/.exec(fields.get('app') ?? '')?.[0];
  const title = decodeText(fields.get('title'));
  const message = decodeText(fields.get('msg'));
  if (state === undefined || title === undefined || message === undefined) return undefined;
  return {
    id,
    state,
    ...(kind !== undefined && {kind}),
    ...(progress !== undefined && {progress: Number(progress)}),
    ...(app !== undefined && {app}),
    ...(title !== '' && {title: sanitizeLine(title, maxTitleLength)}),
    ...(message !== '' && {message: sanitizeLine(message, maxMessageLength)}),
  };
}

function pick<const T extends string>(
  known: readonly T[],
  value: string | undefined,
): T | undefined {
  return known.find((word) => word === value);
}

/**
 * Decodes a base64 value, empty without one; `undefined` if it is not base64 of UTF-8 without
 * control characters.
 */
function decodeText(value = ''): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
    const text = new TextDecoder('utf-8', {fatal: true}).decode(bytes);
    return /[\0-\u001F\u007F-\u009F]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
