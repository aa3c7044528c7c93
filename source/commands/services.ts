import type {DaemonConnection} from '../client/index.ts';
import {ageOf, columns} from '../documents/index.ts';
import type {Service, Wish} from '../domain/index.ts';
import {Impossible} from './here.ts';
import {logs} from './logs.ts';
import {stalenessOf, type Staleness} from './stale-server.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {variablesIn} from './variables-in.ts';
import {withDaemon} from './with-daemon.ts';

export async function services(
  options: {readonly json?: boolean},
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withDaemon(surroundings, async (daemon, {root}) => {
    const list = await withStaleness(
      (await daemon.ask({about: 'services'})) as readonly Service[],
      daemon,
      root,
    );
    if (options.json === true) surroundings.out(`${JSON.stringify({services: list})}\n`);
    else if (list.length === 0)
      surroundings.out(
        'No service is declared. Declare them in .orchestra/project.yaml (docs/project-file.md).\n',
      );
    else
      surroundings.out(
        columns(
          [['SERVICE', 'STATE', 'SESSION', 'PORT', 'COMMAND'], ...list.map(rowOf)],
          surroundings.columns,
        ) +
          columns(
            list.flatMap((service) => warningsOf(service, Date.now())),
            surroundings.columns,
          ),
      );
    return 0;
  });
}

/** `start`, `stop`, `restart`: a person's word, which stands until the next one. */
export async function serviceDo(
  what: 'start' | 'stop' | 'restart',
  service: string,
  options: {readonly json?: boolean},
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withDaemon(surroundings, async (daemon) => {
    await daemon.ask({
      about: 'wish',
      wish: {type: `${what}-service`, service} as Wish,
      ...(what === 'stop' ? {} : {env: variablesIn(surroundings)}),
    });
    surroundings.out(
      options.json === true
        ? `${JSON.stringify({service, asked: what})}\n`
        : `${service}: ${what === 'stop' ? 'stops' : 'starts'}\n`,
    );
    return 0;
  });
}

/** The output of the process that serves now, or that served last. */
export async function serviceLogs(
  service: string,
  options: {readonly follow?: boolean; readonly json?: boolean},
  surroundings: Surroundings,
): Promise<ExitCode> {
  const session = await latestSession(service, surroundings);
  if (session === undefined)
    throw new Impossible(
      `${service} has not run yet. Start it: orchestra service start ${service}`,
    );
  return logs(session, options, surroundings);
}

async function latestSession(
  service: string,
  surroundings: Surroundings,
): Promise<string | undefined> {
  let latest: string | undefined;
  await withDaemon(surroundings, async (daemon) => {
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

/** What serves at a port serves what was there when it began. */
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
          : stalenessOf({directory: server.directory, since: server.since}, root),
    };
  });
}

function warningsOf({spec, stale}: Watched, now: number): string[][] {
  return stale.map((warning) => [
    spec.name,
    'warning',
    warning.kind === 'another-worktree'
      ? `it is served from another worktree: ${warning.directory}`
      : `it is older than its code: ${warning.file} was changed ${ageOf(now - warning.changedAt)} ago`,
  ]);
}

function rowOf({spec, desire, stage}: Service): string[] {
  const state =
    stage.at === 'up'
      ? stage.condition
      : stage.at === 'down' && desire === 'stopped-by-person'
        ? 'stopped by you'
        : stage.at;
  return [
    spec.name,
    state,
    stage.at === 'up' ? stage.session : '',
    spec.port === undefined ? '' : String(spec.port),
    spec.command,
  ];
}
