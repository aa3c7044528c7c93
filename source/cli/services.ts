import type {DaemonConnection} from '../client/index.ts';
import {formatAge, formatColumns} from '../reports/index.ts';
import type {Service, UserCommand} from '../domain/index.ts';
import {UsageError} from './repo-paths.ts';
import {logs} from './logs.ts';
import {findStaleness, type Staleness} from './port.ts';
import {type CliContext, type ExitCode, variablesIn} from './cli-context.ts';
import {withDaemon} from './with-daemon.ts';

export async function services(
  options: {readonly json?: boolean},
  cli: CliContext,
): Promise<ExitCode> {
  return withDaemon(cli, async (daemon, {root}) => {
    const list = await withStaleness(
      (await daemon.ask({about: 'services'})) as readonly Service[],
      daemon,
      root,
    );
    if (options.json === true) cli.out(`${JSON.stringify({services: list})}\n`);
    else if (list.length === 0)
      cli.out(
        'No service is declared. Declare them in .orchestra/project.yaml (docs/project-file.md).\n',
      );
    else
      cli.out(
        formatColumns(
          [['SERVICE', 'STATE', 'SESSION', 'PORT', 'COMMAND'], ...list.map(toRow)],
          cli.columns,
        ) +
          formatColumns(
            list.flatMap((service) => formatWarnings(service, Date.now())),
            cli.columns,
          ),
      );
    return 0;
  });
}

/** `start`, `stop`, `restart`: holds until the person's next command. */
export async function serviceDo(
  what: 'start' | 'stop' | 'restart',
  service: string,
  options: {readonly json?: boolean},
  cli: CliContext,
): Promise<ExitCode> {
  return withDaemon(cli, async (daemon) => {
    await daemon.ask({
      about: 'wish',
      wish: {type: `${what}-service`, service} as UserCommand,
      ...(what === 'stop' ? {} : {env: variablesIn(cli)}),
    });
    cli.out(
      options.json === true
        ? `${JSON.stringify({service, asked: what})}\n`
        : `${service}: ${what === 'stop' ? 'stops' : 'starts'}\n`,
    );
    return 0;
  });
}

/** Prints the output of the present or latest process. */
export async function serviceLogs(
  service: string,
  options: {readonly follow?: boolean; readonly json?: boolean},
  cli: CliContext,
): Promise<ExitCode> {
  const session = await latestSession(service, cli);
  if (session === undefined)
    throw new UsageError(
      `${service} has not run yet. Start it: orchestra service start ${service}`,
    );
  return logs(session, options, cli);
}

async function latestSession(service: string, cli: CliContext): Promise<string | undefined> {
  let latest: string | undefined;
  await withDaemon(cli, async (daemon) => {
    const {sessions} = (await daemon.ask({about: 'sessions'})) as {
      readonly sessions: readonly {
        readonly session: string;
        readonly for: string;
        readonly name: string;
      }[];
    };
    latest = sessions.findLast(
      (session) => session.for === 'service' && session.name === service,
    )?.session;
    return 0;
  });
  return latest;
}

type Watched = Service & {readonly stale: readonly Staleness[]};
type Listed = {readonly session: string; readonly directory: string; readonly since?: number};

/** A server shows the code that existed when it started. */
async function withStaleness(
  list: readonly Service[],
  daemon: DaemonConnection,
  root: string,
): Promise<Watched[]> {
  const isAnyUp = list.some(({stage}) => stage.at === 'up');
  const {sessions} = isAnyUp
    ? ((await daemon.ask({about: 'sessions'})) as {readonly sessions: readonly Listed[]})
    : {sessions: []};
  return list.map((service) => {
    const {stage, spec} = service;
    const server =
      stage.at === 'up' && spec.port !== undefined
        ? sessions.find(({session}) => session === stage.session)
        : undefined;
    return {
      ...service,
      stale:
        server?.since === undefined
          ? []
          : findStaleness({directory: server.directory, since: server.since}, root),
    };
  });
}

function formatWarnings({spec, stale}: Watched, now: number): string[][] {
  return stale.map((warning) => [
    spec.name,
    'warning',
    warning.kind === 'another-worktree'
      ? `another worktree serves it: ${warning.directory}`
      : `it runs older code: ${warning.file} changed ${formatAge(now - warning.changedAt)} ago`,
  ]);
}

function toState(stage: Service['stage'], desire: Service['desire']): string {
  if (stage.at === 'up') return stage.condition;
  return stage.at === 'down' && desire === 'stopped-by-person' ? 'stopped by you' : stage.at;
}

function toRow({spec, desire, stage}: Service): string[] {
  return [
    spec.name,
    toState(stage, desire),
    stage.at === 'up' ? stage.session : '',
    spec.port === undefined ? '' : String(spec.port),
    spec.command,
  ];
}
