import {
  isReady,
  type RunRequest,
  selectLiveSessions,
  selectOpenRuns,
  type State,
} from '../../domain/index.ts';
import type {CliContext} from '../cli-context.ts';
import {shellEnvironment} from '../runs/env.ts';
import {withLive} from '../with-daemon.ts';
import {type Demo, makeDemo} from './make-demo.ts';

/** Makes the demo's repository, and starts its run there. The person decides in the app. */
export async function makeAndStartDemo(cli: CliContext): Promise<Demo> {
  const made = await makeDemo(cli.env);
  await startDemo(made, cli);
  return made;
}

export async function startDemo(made: Demo, cli: CliContext): Promise<void> {
  const inside: CliContext = {...cli, cwd: made.root};
  await withLive(inside, async (live) => {
    await live.ask({
      about: 'wish',
      wish: {type: 'start-run', request: toRunRequest(made), budget: {}},
      env: shellEnvironment(live.state().project, toRunRequest(made), inside),
    });
    return 0;
  });
}

export function toRunRequest({objective, playbook}: Demo): RunRequest {
  return {objective, worker: 'playbook', planner: 'playbook', playbook, queued: false};
}

/**
 * Ends the daemon of a demo in which nothing is at work any more; a plan that waits is still there
 * when the person comes back. Prints what to know about the demo.
 */
export async function leaveDemo({root, home}: Demo, cli: CliContext): Promise<void> {
  const isAtWork = await stopIdleDemo({...cli, cwd: root, err: () => undefined});
  const state = isAtWork
    ? 'The demo keeps running without the app.'
    : 'Nothing of the demo runs any more.';
  const stop = isAtWork ? `(cd ${root} && orchestra daemon stop); ` : '';
  cli.out(
    `${state} Come back: cd ${root} && orchestra\n` +
      `Remove it when you are done: ${stop}rm -r ${home}\n`,
  );
}

/** Returns whether the demo is still at work, and so goes on. */
async function stopIdleDemo(cli: CliContext): Promise<boolean> {
  const code = await withLive(cli, async (live) => {
    if (isDemoAtWork(live.state())) return 1;
    for (const service of selectLiveServices(live.state()))
      await live.ask({about: 'wish', wish: {type: 'stop-service', service}});
    await live.until(({live: sessions}) => sessions.length === 0);
    await live.ask({about: 'stop-daemon'});
    return 0;
  });
  return code !== 0;
}

/**
 * Whether anything but services runs or is about to: between two sessions of a run there is none
 * for a moment. A plan that waits and a run that is ready are not at work.
 */
export function isDemoAtWork(state: State): boolean {
  return (
    selectLiveSessions(state).length > selectLiveServices(state).length ||
    selectOpenRuns(state).some((run) => run.stage.at !== 'reviewing' && !isReady(run))
  );
}

function selectLiveServices(state: State): readonly string[] {
  return selectLiveSessions(state).flatMap(({purpose}) =>
    purpose.for === 'service' ? [purpose.service] : [],
  );
}
