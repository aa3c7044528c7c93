import type {AgentProblem, ProblemKind, Retry, StreamEvent} from './agent-stream.ts';
import {asFields, asText, type Fields} from './fields.ts';

/**
 * Parses a line in which an agent reports a retry: codex "Reconnecting... 2/5 (unexpected status
 * 500)", gemini "Attempt 3 failed with status 503. Retrying with backoff...". Other agents have a
 * record of their own for it.
 */
export function parseRetryLine(line: string): Retry | undefined {
  const text = line.slice(0, maxNoticeCharacters);
  if (
    !/\bretrying\b(?! the (?:test|command)s?\b)|\breconnecting\b|\bwill retry\b|\btrying again\b|\bretry (?:in|after) \d/i.test(
      text,
    )
  )
    return undefined;
  const count =
    /(?:reconnecting|retrying|retry|attempt)\D{0,12}?(\d{1,3})(?:\s*(?:\/|of)\s*(\d{1,3}))?/i.exec(
      text,
    );
  const status =
    /(?:status(?: code)?:? |http[ /]|error:? |\()([45]\d\d)\b|\b([45]\d\d) error\b/i.exec(text);
  return {
    said: text.trim(),
    ...(status !== null && {status: Number(status[1] ?? status[2])}),
    ...(count?.[1] !== undefined && {attempt: Number(count[1])}),
    ...(count?.[2] !== undefined && {of: Number(count[2])}),
  };
}

const maxNoticeCharacters = 1000;

/** A message of the agent outside its answer, which may be about a retry. */
export function parseNotice(text: string): StreamEvent {
  const retry = parseRetryLine(text);
  return retry === undefined ? {type: 'notice', text} : {type: 'retry', ...retry};
}

/**
 * When a service is available again according to its message, in milliseconds. A time in the past
 * or a year away does not count.
 */
export function parseResetTime(message: string, now: number): number | undefined {
  const text = message.slice(0, maxResetCharacters);
  const found = parseStamp(text) ?? parseDuration(text, now) ?? parseClock(text, now);
  return found !== undefined && Number.isFinite(found) && found > now && found < now + year
    ? found
    : undefined;
}

const maxResetCharacters = 4000;
const hour = 3_600_000;
const day = 24 * hour;
const year = 365 * day;

/** `limit reached|1794829806`, or a date in the form of ISO 8601. */
function parseStamp(text: string): number | undefined {
  const seconds = /\|\s*(\d{10})(\d{3})?\b/.exec(text);
  if (seconds !== null)
    return seconds[2] === undefined
      ? Number(seconds[1]) * 1000
      : Number(`${seconds[1] ?? ''}${seconds[2]}`);
  const iso = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)/.exec(text)?.[0];
  return iso === undefined ? undefined : Date.parse(iso);
}

/** "reset after 2h3m4s", "try again in 3 days 2 hours", "retry in 34.5s". */
function parseDuration(text: string, now: number): number | undefined {
  const duration =
    /(?:\bin|\bafter)\s+((?:\d+(?:\.\d+)?\s*(?:days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z])[\s,]*(?:and\s+)?)+)/i.exec(
      text,
    )?.[1];
  if (duration === undefined) return undefined;
  let sum = 0;
  for (const [, amount, unit = ''] of duration.matchAll(/(\d+(?:\.\d+)?)\s*([a-z])/gi))
    sum += Number(amount) * (units[unit.toLowerCase()] ?? 0);
  return now + Math.ceil(sum);
}

const units: Readonly<Record<string, number>> = {d: day, h: hour, m: 60_000, s: 1000};

/**
 * "try again at 1:50 PM", "try again at Nov 20th, 2026 1:50 PM", "resets 3pm (Europe/London)",
 * "resets Nov 20, 3pm (UTC)".
 */
function parseClock(text: string, now: number): number | undefined {
  const match =
    /\b(?:at|resets(?: at)?|on)\s+(?:(?<month>[A-Z][a-z]{2})[a-z]*\s+(?<date>\d{1,2})(?:st|nd|rd|th)?,?\s+(?:(?<year>\d{4}),?\s+)?(?:at\s+)?)?(?<hours>\d{1,2})(?::(?<minutes>\d\d))?\s*(?<half>am|pm)(?:\s*\((?<zone>[A-Za-z_/+-]+\d*)\))?/i.exec(
      text,
    );
  if (match?.groups === undefined) return undefined;
  const {month, date, year: ofYear, hours = '', minutes = '0', half = '', zone} = match.groups;
  const shift = zoneOffset(zone, now);
  if (shift === undefined) return undefined;
  // Computes with the wall clock as if it were UTC, and subtracts the offset of its zone at the
  // end.
  const wall = new Date(now + shift);
  const place = month === undefined ? -1 : months.indexOf(month.toLowerCase());
  const clock = [
    (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0),
    Number(minutes),
  ] as const;
  if (place === -1) {
    const today =
      Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate(), ...clock) - shift;
    return today > now ? today : today + day;
  }

  const then =
    Date.UTC(
      ofYear === undefined ? wall.getUTCFullYear() : Number(ofYear),
      place,
      Number(date),
      ...clock,
    ) - shift;
  return then > now || ofYear !== undefined
    ? then
    : Date.UTC(wall.getUTCFullYear() + 1, place, Number(date), ...clock) - shift;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The offset of a zone from UTC in milliseconds; without a zone, that of this machine. */
function zoneOffset(zone: string | undefined, now: number): number | undefined {
  if (zone === undefined) return -new Date(now).getTimezoneOffset() * 60_000;
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }).formatToParts(now);
    const part = (name: string): number => Number(parts.find(({type}) => type === name)?.value);
    return (
      Date.UTC(
        part('year'),
        part('month') - 1,
        part('day'),
        part('hour'),
        part('minute'),
        part('second'),
      ) -
      Math.floor(now / 1000) * 1000
    );
  } catch {
    return undefined;
  }
}

/** What is known about an error besides its message. */
export type ErrorSigns = {
  /** The HTTP status, if the stream has it. */
  readonly status?: number;
  /** The name that the service or the agent gives to the error. */
  readonly name?: string;
};

/** Classifies an error by its status and message. Most streams have only a message. */
export function classifyProblem(text: string, {status, name = ''}: ErrorSigns = {}): AgentProblem {
  const message = plainMessage(text);
  return {
    kind: problemKind(
      `${name} ${text.slice(0, maxErrorCharacters)}`.toLowerCase(),
      status ?? findStatus(text),
    ),
    said: message,
  };
}

const maxErrorCharacters = 4000;

function problemKind(text: string, status: number | undefined): ProblemKind {
  // Before the status, because services answer 400 or 413, as to any bad request.
  if (
    /context[_ ]?(?:length|window|overflow)|prompt[_ ](?:is )?too[_ ]long|too many tokens|maximum context|exceeds the maximum number of tokens|input is too long/.test(
      text,
    )
  )
    return 'too-long';
  if (/abort|interrupted|cancell?ed/.test(text)) return 'aborted';
  // Some services answer 400 or 403 to an unknown key.
  if (
    /invalid[_ ](?:x-)?api[_ -]?key|api key not valid|authentication[_ ]error|unauthenticated|unauthorized|not logged in|please (?:run )?\/?log ?in|log in again|no api key|api key (?:is )?(?:missing|required)|oauth token/.test(
      text,
    )
  )
    return 'no-account';
  if (status === 401) return 'no-account';
  if (
    /usage[_ ]limit|rate[_ ]?limit|quota|resource_exhausted|too many requests|session limit|weekly limit|credit balance|insufficient[_ ](?:quota|funds|balance)|billing|exhausted your capacity/.test(
      text,
    ) ||
    status === 429 ||
    status === 402
  )
    return 'limit';
  if (
    /model_not_found|model[\s\S]{0,80}(?:not found|does not exist|may not exist|not supported)|unknown model|no such model/.test(
      text,
    )
  )
    return 'no-model';
  if (status === 403) return 'no-account';
  if (
    /overloaded|high demand|temporar|unavailable|econnrefused|econnreset|etimedout|enotfound|fetch failed|connection error|stream disconnected|error sending request|network error|timed? ?out/.test(
      text,
    )
  )
    return 'overload';
  if (status !== undefined && status >= 500) return 'overload';
  return 'model-error';
}

/**
 * A status in the message: "unexpected status 401", "API Error: 500 …", "429 Too Many Requests",
 * `"code":500`.
 */
function findStatus(text: string): number | undefined {
  const found = /(?:^|status:? |error:? |\(|"code":\s*"?)([45]\d\d)\b/i.exec(
    text.slice(0, maxErrorCharacters),
  )?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Agents pass on the JSON answer of a service; a person reads the message inside. */
function plainMessage(text: string): string {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start === -1 || end < start) return text.trim();
  try {
    const message = messageField(asFields(JSON.parse(text.slice(start, end + 1))));
    return message === '' ? text.trim() : message;
  } catch {
    return text.trim();
  }
}

function messageField(fields: Fields): string {
  const inner = asFields(fields['error']);
  return (asText(inner['message']) || asText(fields['message']) || asText(fields['error'])).trim();
}
