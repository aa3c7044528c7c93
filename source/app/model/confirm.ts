import {noChange, type Result, withCommands, withEffects, withNotice} from './action.ts';
import type {Model} from './model.ts';

/** The person said yes: the confirmed action becomes a command or an effect. */
export function confirm(model: Model, now: number): Result {
  const {confirmation} = model;
  if (confirmation === undefined) return noChange(model);
  const closed: Model = {...model, confirmation: undefined};
  const {yes} = confirmation;
  if (yes.action === 'prepare')
    return withEffects(closed, {type: 'prepare-repository', what: yes.what});
  if (yes.action === 'write-rules')
    return withEffects(closed, {type: 'write-rules', text: yes.text});
  if (yes.action === 'propose')
    return withEffects(withNotice(closed, `The branch of ${yes.run} is pushed …`, now), {
      type: 'propose',
      run: yes.run,
    });
  if (yes.action === 'refresh-environment')
    return withCommands(closed, {type: 'refresh-environment', run: yes.run});
  if (yes.action === 'reset') return withCommands(closed, {type: 'reset-task', task: yes.task});
  if (yes.action === 'accept')
    return withCommands(closed, {
      type: 'accept-run',
      run: yes.run,
      commit: yes.commit,
      way: yes.way,
      ...(yes.into === undefined ? {} : {into: yes.into}),
    });
  return withCommands(
    closed,
    yes.action === 'discard' ? {type: 'discard', what: yes.what} : {type: 'stop', what: yes.what},
  );
}
