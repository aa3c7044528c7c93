/** When a service says that it serves again, in milliseconds; nothing when it does not say. What is past or a year away is no such time. */
export function resetTimeIn(said: string, now: number): number | undefined {
  const text = said.slice(0, mostCharacters);
  const found = stampIn(text) ?? durationIn(text, now) ?? clockIn(text, now);
  return found !== undefined && Number.isFinite(found) && found > now && found < now + year
    ? found
    : undefined;
}

const mostCharacters = 4000;
const hour = 3_600_000;
const day = 24 * hour;
const year = 365 * day;

/** `limit reached|1794829806`, or a date in the form of ISO 8601. */
function stampIn(text: string): number | undefined {
  const seconds = /\|\s*(\d{10})(\d{3})?\b/.exec(text);
  if (seconds !== null)
    return seconds[2] === undefined
      ? Number(seconds[1]) * 1000
      : Number(`${seconds[1] ?? ''}${seconds[2]}`);
  const iso = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)/.exec(text)?.[0];
  return iso === undefined ? undefined : Date.parse(iso);
}

/** "reset after 2h3m4s", "try again in 3 days 2 hours", "retry in 34.5s". */
function durationIn(text: string, now: number): number | undefined {
  const told =
    /(?:\bin|\bafter)\s+((?:\d+(?:\.\d+)?\s*(?:days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z])[\s,]*(?:and\s+)?)+)/i.exec(
      text,
    )?.[1];
  if (told === undefined) return undefined;
  let sum = 0;
  for (const [, amount, unit = ''] of told.matchAll(/(\d+(?:\.\d+)?)\s*([a-z])/gi))
    sum += Number(amount) * (units[unit.toLowerCase()] ?? 0);
  return now + Math.ceil(sum);
}

const units: Readonly<Record<string, number>> = {d: day, h: hour, m: 60_000, s: 1000};

/** "try again at 1:50 PM", "try again at Nov 20th, 2026 1:50 PM", "resets 3pm (Europe/London)", "resets Nov 20, 3pm (UTC)". */
function clockIn(text: string, now: number): number | undefined {
  const match =
    /\b(?:at|resets(?: at)?|on)\s+(?:(?<month>[A-Z][a-z]{2})[a-z]*\s+(?<date>\d{1,2})(?:st|nd|rd|th)?,?\s+(?:(?<year>\d{4}),?\s+)?(?:at\s+)?)?(?<hours>\d{1,2})(?::(?<minutes>\d\d))?\s*(?<half>am|pm)(?:\s*\((?<zone>[A-Za-z_/+-]+\d*)\))?/i.exec(
      text,
    );
  if (match?.groups === undefined) return undefined;
  const {month, date, year: ofYear, hours = '', minutes = '0', half = '', zone} = match.groups;
  const shift = offsetOf(zone, now);
  if (shift === undefined) return undefined;
  // The wall clock as if it were UTC; the offset of its zone is taken off at the end.
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

/** How far a zone's clock is ahead of UTC; without a zone, this machine's own. */
function offsetOf(zone: string | undefined, now: number): number | undefined {
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
