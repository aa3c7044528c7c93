const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long something took: `40s`, `2m04`, `14m`, `3h 05m`, `2d`. */
export function formatDuration(ms: number): string {
  const time = toSafeMs(ms);
  if (time < minuteMs) return `${Math.floor(time / secondMs)}s`;
  if (time < 10 * minuteMs)
    return `${Math.floor(time / minuteMs)}m${padTwo(Math.floor((time % minuteMs) / secondMs))}`;
  if (time < hourMs) return `${Math.floor(time / minuteMs)}m`;
  if (time < 2 * dayMs)
    return `${Math.floor(time / hourMs)}h ${padTwo(Math.floor((time % hourMs) / minuteMs))}m`;
  return `${Math.floor(time / dayMs)}d`;
}

/** An age or a wait in its largest unit: `20s`, `2m`, `14m`, `3h`, `2d`. */
export function formatShortDuration(ms: number): string {
  const time = toSafeMs(ms);
  if (time < minuteMs) return `${Math.floor(time / secondMs)}s`;
  if (time < hourMs) return `${Math.floor(time / minuteMs)}m`;
  return time < 2 * dayMs ? `${Math.floor(time / hourMs)}h` : `${Math.floor(time / dayMs)}d`;
}

/** Minutes east of UTC on this machine at that time. Pass it to the functions below in tests. */
export function localOffset(at: number): number {
  const offset = -new Date(at).getTimezoneOffset();
  return Number.isFinite(offset) ? offset : 0;
}

/** `07:01:24` on the clock of this machine. */
export function formatClock(at: number, offset: number = localOffset(at)): string {
  return toIso(at, offset).slice(11, 19);
}

/** `07:01` on the clock of this machine. */
export function formatClockMinute(at: number, offset: number = localOffset(at)): string {
  return toIso(at, offset).slice(11, 16);
}

/** The hour of the day, 0 to 23, on the clock of this machine. */
export function hourOfDay(at: number, offset: number = localOffset(at)): number {
  return Number(toIso(at, offset).slice(11, 13));
}

/** `2026-11-17`: the day on the clock of this machine. Two times of one day give the same text. */
export function formatDay(at: number, offset: number = localOffset(at)): string {
  return toIso(at, offset).slice(0, 10);
}

/** `Tue 17 Nov 2026`, for the line between the events of two days. */
export function formatDateLine(at: number, offset: number = localOffset(at)): string {
  const [day = '', number = '', month = '', year = ''] = new Date(toIso(at, offset))
    .toUTCString()
    .replace(',', '')
    .split(' ');
  return `${day} ${Number(number)} ${month} ${year}`;
}

/** Times that no date can hold, which only a damaged journal has, become the start of the epoch. */
function toIso(at: number, offset: number): string {
  const time = at + offset * minuteMs;
  return new Date(Math.abs(time) <= maxTime && time >= 0 ? time : 0).toISOString();
}

/** The end of the year 9999: later years have more digits. */
const maxTime = 253_402_300_799_999;

function toSafeMs(ms: number): number {
  return Number.isFinite(ms) && ms > 0 ? ms : 0;
}

function padTwo(number: number): string {
  return String(number).padStart(2, '0');
}

/** The length of a minute in the project's limits. Tests shorten it. */
export function getMinuteMs(env: Readonly<Record<string, string | undefined>>): number {
  const given = Number(env['ORCHESTRA_MINUTE_MS']);
  return given > 0 ? given : 60_000;
}
