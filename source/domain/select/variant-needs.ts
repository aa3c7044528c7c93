import type {Need} from '../need.ts';
import type {Run} from '../run.ts';
import type {State} from '../state.ts';
import {isGoing, isRunActive, isTaskActive} from './progress.ts';
import {selectUndecidedGroups} from './variants.ts';

/** A person picks when no variant goes on by itself and at least one is green. */
export function needsOfVariants(state: State, run: Run): Need[] {
  if (run.stage.at !== 'working' || !isRunActive(run) || run.moved !== undefined) return [];
  return selectUndecidedGroups(run).flatMap((variants) => {
    const green = variants.flatMap((task) =>
      task.stage.at === 'validated' && isTaskActive(run, task)
        ? [{...task.stage, id: task.id}]
        : [],
    );
    const [first] = variants;
    if (
      first === undefined ||
      green.length === 0 ||
      variants.some((task) => isGoing(state, run, task))
    )
      return [];
    const ids = green.map(({id}) => id);
    return [
      {
        id: `${ids.join('+')}/pick/${green.map(({commit}) => commit.slice(0, 12)).join('+')}`,
        since: Math.max(...green.map(({since = 0}) => since)),
        kind: 'pick',
        task: first.id,
        green: ids,
      },
    ];
  });
}
