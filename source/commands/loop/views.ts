import {sanitizeText} from '../../base/index.ts';
import {
  formatBrief,
  formatJson,
  formatNeeds,
  formatStatus,
  formatTimeline,
  journalInWords,
  needsReport,
  statusOf,
  type Brief,
  type JournalCondition,
  type Timeline,
} from '../../documents/index.ts';
import {isSessionId, type State, type Wish} from '../../domain/index.ts';
import {Impossible} from '../here.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {withDaemon} from '../with-daemon.ts';
import {findRun} from './find-subject.ts';
import {textOptionsOf} from './text-options.ts';
import {withLive} from './with-live.ts';

type Options = {readonly json?: boolean};

type Forecast = {readonly owners: readonly [string, string]; readonly paths: readonly string[]};

/** What is going on: runs, tasks, sessions, services. */
export async function status(
  run: string | undefined,
  options: Options & {readonly conflicts?: boolean},
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withDaemon(surroundings, async (daemon) => {
    // Nothing is followed, so that one connection and one round is all that it takes.
    const [state, {journal}, {sessions}, conflicts] = (await Promise.all([
      daemon.ask({about: 'state'}),
      daemon.ask({about: 'daemon'}),
      daemon.ask({about: 'sessions'}),
      options.conflicts === true ? daemon.ask({about: 'conflicts'}) : undefined,
    ])) as [
      State,
      {readonly journal: JournalCondition},
      {
        readonly sessions: readonly {
          readonly session: string;
          readonly ports: readonly {readonly port: number}[];
        }[];
      },
      readonly Forecast[] | undefined,
    ];
    const ports = sessions.flatMap(({session, ports: held}) =>
      held.map(({port}) => ({session, port})),
    );
    const found = run === undefined ? {} : {run: findRun(state, run).id};
    const data = statusOf(state, Date.now(), {...found, ports});
    // What is shown may be older than the world: nothing that happens now is written down.
    const inTheWay = journalInWords(journal);
    if (inTheWay !== undefined && options.json !== true)
      surroundings.err(`orchestra: ${inTheWay}\n`);
    if (options.json === true)
      surroundings.out(
        formatJson({
          ...data,
          ...(inTheWay === undefined ? {} : {journal: {mode: journal.mode, words: inTheWay}}),
          ...(conflicts === undefined ? {} : {conflicts}),
        }),
      );
    else
      surroundings.out(
        `${formatStatus(data, textOptionsOf(surroundings))}${conflicts === undefined ? '' : `\n${forecastText(conflicts)}`}`,
      );
    return 0;
  });
}

/** What waits for the person, the oldest first, each with the commands that answer it. Exit 3 when something does. */
export async function needs(
  run: string | undefined,
  options: Options & {readonly seen?: string},
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withLive(surroundings, async (live) => {
    if (options.seen !== undefined) await live.ask({about: 'wish', wish: seenWish(options.seen)});
    const found = run === undefined ? {} : {run: findRun(live.state(), run).id};
    const data = needsReport(live.state(), Date.now(), found);
    surroundings.out(
      options.json === true ? formatJson(data) : formatNeeds(data, textOptionsOf(surroundings)),
    );
    return data.needs.length === 0 ? 0 : 3;
  });
}

/** A notice by its number, or a sign of a session as `orchestra needs` names it. */
function seenWish(seen: string): Wish {
  const [, session, number] = /^(s[1-9]\d*)\/([1-9]\d*)$/.exec(seen) ?? [];
  if (session !== undefined && isSessionId(session))
    return {type: 'acknowledge-loop', session, number: Number(number)};
  if (!/^\d+$/.test(seen))
    throw new Impossible(
      `expected the number of a notice such as 2, or a sign such as s7/1, got ${JSON.stringify(seen)}. See orchestra needs.`,
    );
  return {type: 'acknowledge-intrusion', number: Number(seen)};
}

/** What happened since the person was here. */
export async function brief(
  options: Options & {readonly since?: string},
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withDaemon(surroundings, async (daemon) => {
    const since = options.since === undefined ? {} : {since: momentOf(options.since)};
    const data = (await daemon.ask({about: 'brief', ...since})) as Brief;
    surroundings.out(
      options.json === true
        ? formatJson(data)
        : formatBrief(data, {...textOptionsOf(surroundings), isAsked: options.since !== undefined}),
    );
    return 0;
  });
}

export async function timeline(
  run: string | undefined,
  options: Options & {readonly all?: boolean; readonly limit?: string},
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withLive(surroundings, async (live) => {
    const found = run === undefined ? {} : {run: findRun(live.state(), run).id};
    const limit = Math.max(1, Number.parseInt(options.limit ?? '200', 10) || 200);
    const data = (await live.ask({
      about: 'timeline',
      ...found,
      limit,
      ...(options.all === true ? {all: true} : {}),
    })) as Timeline;
    surroundings.out(
      options.json === true
        ? formatJson(data)
        : formatTimeline(data, {...textOptionsOf(surroundings), now: Date.now()}),
    );
    return 0;
  });
}

const units: Readonly<Record<string, number>> = {m: 60_000, h: 3_600_000, d: 86_400_000};

/** `90m`, `2h`, `1d` ago, or a date. */
function momentOf(text: string): number {
  const ago = /^(?<count>\d+)(?<unit>[mhd])$/.exec(text)?.groups;
  if (ago !== undefined) return Date.now() - Number(ago['count']) * (units[ago['unit'] ?? ''] ?? 0);
  const date = Date.parse(text);
  if (Number.isNaN(date))
    throw new Impossible(
      `expected a moment such as 90m, 2h, 1d or 2026-11-16, got ${JSON.stringify(text)}`,
    );
  return date;
}

/** What would not merge if everybody stopped now. */
function forecastText(conflicts: readonly Forecast[]): string {
  if (conflicts.length === 0) return 'No two tasks at work would conflict as they are now.\n';
  return conflicts
    .map(
      ({owners: [one, other], paths}) =>
        `${one} and ${other} would conflict: ${paths.map((path) => sanitizeText(path)).join(', ')}\n`,
    )
    .join('');
}
