import type {RunRequest} from '../../domain/index.ts';
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

/** What to know about a demo that was left. */
export function formatDemoLeft({root, home}: Demo): string {
  return (
    `The demo keeps running without the app. Come back: cd ${root} && orchestra\nRemove it ` +
    `when you are done: (cd ${root} && orchestra daemon stop); rm -r ${home}\n`
  );
}
