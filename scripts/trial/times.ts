import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {eventually} from '../../test/support/eventually.ts';
import type {Trial} from './trial.ts';

export type Times = {
  readonly bareMs: number;
  readonly firstLineMs: number;
  readonly firstCheckMs: number;
};

/**
 * From the approval to what a person sees first, beside what git and a shell alone take for the
 * same here and now.
 */
export async function measure({stage, layOut, run}: Trial): Promise<Times> {
  const bareMs = bareStart(stage);
  layOut([{id: 't1'}], {t1: 'echo "the first line"\nexec sh "$PRETEND/succeed.sh" "$@"'});
  const {run: id} = await run();
  const approved = stage.launch('plan', 'approve', id);
  // The journal is read as it grows: a moment is known to a few ms.
  await eventually('it is approved', () =>
    stage.eventsOf('plan-approved').some((event) => event.run === id),
  );
  const approvedAt = performance.now();
  const session = await eventually(
    'its worker is asked for',
    () =>
      stage
        .eventsOf('session-asked')
        .find(({purpose}) => purpose.for === 'attempt' && purpose.task.startsWith(`${id}.`))
        ?.session,
  );
  await eventually('its first line', () => stage.outputOf(session).includes('the first line'));
  const firstLineMs = performance.now() - approvedAt;
  await eventually('its first check', () => {
    const asked = stage
      .eventsOf('session-asked')
      .find(({purpose}) => purpose.for === 'check' && purpose.task.startsWith(`${id}.`))?.session;
    return stage.eventsOf('session-running').some((event) => event.session === asked);
  });
  const firstCheckMs = performance.now() - approvedAt;
  await approved;
  return {bareMs, firstLineMs, firstCheckMs};
}

function bareStart({root, home, env}: Trial['stage']): number {
  const place = path.join(home, 'bare-worktree');
  const since = performance.now();
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', place], {cwd: root, env});
  execFileSync('/bin/sh', ['-c', 'echo "the first line"'], {cwd: place, env});
  const ms = performance.now() - since;
  execFileSync('git', ['worktree', 'remove', '--force', place], {cwd: root, env});
  return ms;
}

export function formatTimes({bareMs, firstLineMs, firstCheckMs}: Times): string {
  const ratio = (ms: number): string => `${(ms / bareMs).toFixed(1)} times`;
  return [
    `git worktree add + a shell's first line: ${bareMs.toFixed(0)} ms`,
    `approval → first worker's first line: ${firstLineMs.toFixed(0)} ms, ${ratio(firstLineMs)} that`,
    `approval → first check: ${firstCheckMs.toFixed(0)} ms, ${ratio(firstCheckMs)} that`,
  ].join('\n');
}
