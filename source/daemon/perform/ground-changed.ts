import {runOf, type Observation, type RunId} from '../../domain/index.ts';
import {readRules} from '../../documents/index.ts';
import type {Workshop} from '../workshop.ts';
import {rulesTextOf} from './survey.ts';
import {checkoutOf} from './task-of-effect.ts';

/**
 * Whether the rules file says something else than what the run stands on: an approval binds what the person saw. One that
 * cannot be read says nothing, and is not taken for rules that were lifted.
 */
export function rulesChanged(
  workshop: Workshop,
  id: RunId,
): Extract<Observation, {readonly type: 'rules-changed'}> | undefined {
  const run = runOf(workshop.state(), id);
  if (run === undefined || !('ground' in run.stage) || run.stage.at === 'accepting')
    return undefined;
  const reading = readRules(rulesTextOf(checkoutOf(workshop, run)) ?? '');
  if (reading.outline.isRefused || reading.value.hash === run.stage.ground.rules.hash)
    return undefined;
  return {type: 'rules-changed', run: id, rules: reading.value};
}

/** Whether the person's branch has moved on since the plan was made for it. */
export async function baseMoved(
  workshop: Workshop,
  id: RunId,
): Promise<Extract<Observation, {readonly type: 'base-moved'}> | undefined> {
  const run = runOf(workshop.state(), id);
  if (run?.stage.at !== 'reviewing' || run.tasks.length > 0) return undefined;
  const {branch, base} = run.stage.ground;
  const {git} = workshop.workspace();
  const now = (
    await git(
      checkoutOf(workshop, run),
      [
        'rev-parse',
        '--verify',
        '--quiet',
        branch === null ? 'HEAD^{commit}' : `refs/heads/${branch}^{commit}`,
      ],
      {isRead: true},
    ).catch(() => '')
  ).trim();
  return now === '' || now === base ? undefined : {type: 'base-moved', run: id, base: now};
}
