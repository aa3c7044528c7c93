import {sanitizeText} from '../../shared/index.ts';
import {
  type Brief,
  buildNeedsReport,
  buildStatus,
  formatBrief,
  formatJournal,
  formatJson,
  formatNeeds,
  formatStatus,
  formatTimeline,
  type JournalCondition,
  type Timeline,
} from '../../reports/index.ts';
import {isSessionId, type State, type UserCommand} from '../../domain/index.ts';
import {UsageError} from '../repo-paths.ts';
import {type CliContext, type ExitCode, getTextOptions} from '../cli-context.ts';
import {withDaemon, withLive} from '../with-daemon.ts';
import {findRun} from './find-subject.ts';

type Options = {readonly json?: boolean};

type Forecast = {readonly owners: readonly [string, string]; readonly paths: readonly string[]};

/** Shows runs, tasks, sessions and services. */
export async function status(
  run: string | undefined,
  options: Options & {readonly conflicts?: boolean},
  cli: CliContext,
): Promise<ExitCode> {
  return withDaemon(cli, async (daemon) => {
    // Without following, one connection and one round trip are enough.
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
    const data = buildStatus(state, Date.now(), {...found, ports});
    // The state may be outdated: new events are not recorded.
    const obstacle = formatJournal(journal);
    if (obstacle !== undefined && options.json !== true) cli.err(`orchestra: ${obstacle}\n`);
    if (options.json === true)
      cli.out(
        formatJson({
          ...data,
          ...(obstacle === undefined ? {} : {journal: {mode: journal.mode, words: obstacle}}),
          ...(conflicts === undefined ? {} : {conflicts}),
        }),
      );
    else
      cli.out(
        `${formatStatus(data, getTextOptions(cli))}${conflicts === undefined ? '' : `\n${formatForecast(conflicts)}`}`,
      );
    return 0;
  });
}

/**
 * Lists what waits for the person, oldest first, with the commands that answer it. Exit 3 if there
 * is something.
 */
export async function needs(
  run: string | undefined,
  options: Options & {readonly seen?: string},
  cli: CliContext,
): Promise<ExitCode> {
  return withLive(cli, async (live) => {
    if (options.seen !== undefined)
      await live.ask({about: 'wish', wish: toSeenCommand(options.seen)});
    const found = run === undefined ? {} : {run: findRun(live.state(), run).id};
    const data = buildNeedsReport(live.state(), Date.now(), found);
    cli.out(options.json === true ? formatJson(data) : formatNeeds(data, getTextOptions(cli)));
    return data.needs.length === 0 ? 0 : 3;
  });
}

/** The number of a notice, or a session's loop sign as `orchestra needs` names it. */
function toSeenCommand(seen: string): UserCommand {
  const [, session, number] = /^(s[1-9]\d*)\/([1-9]\d*)$/.exec(seen) ?? [];
  if (session !== undefined && isSessionId(session))
    return {type: 'acknowledge-loop', session, number: Number(number)};
  if (!/^\d+$/.test(seen))
    throw new UsageError(
      'expected the number of a notice such as 2, or a loop such as s7/1, got ' +
        `${JSON.stringify(seen)}. See orchestra needs.`,
    );
  return {type: 'acknowledge-intrusion', number: Number(seen)};
}

/** Summarises what happened since the person's last visit. */
export async function brief(
  options: Options & {readonly since?: string},
  cli: CliContext,
): Promise<ExitCode> {
  return withDaemon(cli, async (daemon) => {
    const since = options.since === undefined ? {} : {since: parseMoment(options.since)};
    const data = (await daemon.ask({about: 'brief', ...since})) as Brief;
    cli.out(
      options.json === true
        ? formatJson(data)
        : formatBrief(data, {...getTextOptions(cli), isAsked: options.since !== undefined}),
    );
    return 0;
  });
}

export async function timeline(
  run: string | undefined,
  options: Options & {readonly all?: boolean; readonly limit?: string},
  cli: CliContext,
): Promise<ExitCode> {
  return withLive(cli, async (live) => {
    const found = run === undefined ? {} : {run: findRun(live.state(), run).id};
    const limit = Math.max(1, Number.parseInt(options.limit ?? '200', 10) || 200);
    const data = (await live.ask({
      about: 'timeline',
      ...found,
      limit,
      ...(options.all === true ? {all: true} : {}),
    })) as Timeline;
    cli.out(
      options.json === true
        ? formatJson(data)
        : formatTimeline(data, {...getTextOptions(cli), now: Date.now()}),
    );
    return 0;
  });
}

const units: Readonly<Record<string, number>> = {m: 60_000, h: 3_600_000, d: 86_400_000};

/** `90m`, `2h`, `1d` ago, or a date. */
function parseMoment(text: string): number {
  const ago = /^(?<count>\d+)(?<unit>[mhd])$/.exec(text)?.groups;
  if (ago !== undefined) return Date.now() - Number(ago['count']) * (units[ago['unit'] ?? ''] ?? 0);
  const date = Date.parse(text);
  if (Number.isNaN(date))
    throw new UsageError(
      `expected a time such as 90m, 2h, 1d or 2026-11-16, got ${JSON.stringify(text)}`,
    );
  return date;
}

/** Lists running tasks that would conflict if they ended now. */
function formatForecast(conflicts: readonly Forecast[]): string {
  if (conflicts.length === 0) return 'No running tasks conflict now.\n';
  return conflicts
    .map(
      ({owners: [one, other], paths}) =>
        `${one} and ${other} would conflict: ${paths.map((path) => sanitizeText(path)).join(', ')}\n`,
    )
    .join('');
}
