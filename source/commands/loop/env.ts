import {sanitizeText} from '../../base/index.ts';
import {
  formatEnvironmentReport,
  formatJson,
  type EnvironmentReport,
} from '../../documents/index.ts';
import type {Event} from '../../domain/index.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {findRun} from './find-subject.ts';
import {shellEnvironment} from './shell-environment.ts';
import {withLive} from './with-live.ts';

type Options = {readonly json?: boolean};

/** Which environment the sessions of a run get, and in what this shell differs. */
export async function env(
  id: string | undefined,
  options: Options,
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withLive(surroundings, async (live) => {
    const run = findRun(live.state(), id);
    const report = (await live.ask({
      about: 'environment',
      of: run.id,
      env: shellEnvironment(live.state().project, run.request, surroundings),
    })) as EnvironmentReport;
    surroundings.out(
      options.json === true ? formatJson(report) : formatEnvironmentReport(report, Date.now()),
    );
    return 0;
  });
}

/** Sessions of the run that begin from now on get what this shell has. */
export async function refreshEnv(
  id: string | undefined,
  options: Options,
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withLive(surroundings, async (live) => {
    const run = findRun(live.state(), id);
    const {events} = (await live.ask({
      about: 'wish',
      wish: {type: 'refresh-environment', run: run.id},
      env: shellEnvironment(live.state().project, run.request, surroundings),
    })) as {readonly events: readonly Event[]};
    const changed = events.flatMap((event) =>
      event.type === 'environment-refreshed' ? event.changed : [],
    );
    const words = `${run.id} has this shell's environment: ${changed.length === 0 ? 'nothing differs from before' : `${changed.join(', ')} changed`}. Sessions that begin from now on get it; what runs keeps what it has.`;
    surroundings.out(
      options.json === true ? formatJson({run: run.id, changed}) : `${sanitizeText(words)}\n`,
    );
    return 0;
  });
}
