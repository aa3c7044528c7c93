import {columns} from '../documents/index.ts';
import type {Service, Wish} from '../domain/index.ts';
import {Impossible} from './here.ts';
import {logs} from './logs.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {withDaemon} from './with-daemon.ts';

export async function services(options: {readonly json?: boolean}, surroundings: Surroundings): Promise<ExitCode> {
  return withDaemon(surroundings, async (daemon) => {
    const list = (await daemon.ask({about: 'services'})) as readonly Service[];
    if (options.json === true) surroundings.out(`${JSON.stringify({services: list})}\n`);
    else if (list.length === 0) surroundings.out('No service is declared. Declare them in .orchestra/project.yaml (docs/project-file.md).\n');
    else surroundings.out(columns([['SERVICE', 'STATE', 'SESSION', 'PORT', 'COMMAND'], ...list.map(rowOf)], surroundings.columns));
    return 0;
  });
}

/** `start`, `stop`, `restart`: a person's word, which stands until the next one. */
export async function serviceDo(what: 'start' | 'stop' | 'restart', service: string, options: {readonly json?: boolean}, surroundings: Surroundings): Promise<ExitCode> {
  return withDaemon(surroundings, async (daemon) => {
    await daemon.ask({about: 'wish', wish: {type: `${what}-service`, service} as Wish});
    surroundings.out(options.json === true ? `${JSON.stringify({service, asked: what})}\n` : `${service}: ${what === 'stop' ? 'stops' : 'starts'}\n`);
    return 0;
  });
}

/** The output of the process that serves now, or that served last. */
export async function serviceLogs(service: string, options: {readonly follow?: boolean; readonly json?: boolean}, surroundings: Surroundings): Promise<ExitCode> {
  const session = await latestSession(service, surroundings);
  if (session === undefined) throw new Impossible(`${service} has not run yet. Start it: orchestra service start ${service}`);
  return logs(session, options, surroundings);
}

async function latestSession(service: string, surroundings: Surroundings): Promise<string | undefined> {
  let latest: string | undefined;
  await withDaemon(surroundings, async (daemon) => {
    const {sessions} = (await daemon.ask({about: 'sessions'})) as {readonly sessions: readonly {readonly session: string; readonly for: string; readonly name: string}[]};
    latest = sessions.findLast((session) => session.for === 'service' && session.name === service)?.session;
    return 0;
  });
  return latest;
}

function rowOf({spec, desire, stage}: Service): string[] {
  const state = stage.at === 'up' ? stage.condition : stage.at === 'down' && desire === 'stopped-by-person' ? 'stopped by you' : stage.at;
  return [spec.name, state, stage.at === 'up' ? stage.session : '', spec.port === undefined ? '' : String(spec.port), spec.command];
}
