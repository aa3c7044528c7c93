import type {State} from '../../domain/index.ts';
import {commentUnderCursor} from '../model/comment-line.ts';
import type {Model} from '../model/model.ts';
import type {Binding} from './binding.ts';
import {selectAnswerOptions} from '../model/needs-queue.ts';
import {isHome} from '../model/open-screen.ts';
import {hasOtherPart, selectTimelineLayout} from '../model/timeline-layout.ts';
import {hasFilesBeside} from '../review/select-review.ts';
import type {ActionName} from './action-name.ts';
import {formatChord} from './chord.ts';
import {hintPriority} from './hint-priority.ts';
import {isBeforeFirstFrame, selectBindings} from './resolve.ts';

/** A key that works now, as the last row shows it. */
export type Hint = {
  readonly action: ActionName;
  readonly chord: string;
  readonly keys: string;
  readonly text: string;
};

/** The keys of this place, the most useful first. */
export function selectHints(model: Model, state: State): readonly Hint[] {
  const all = selectBindings(model, state);
  const ranked = all.map((binding) => ({binding, priority: hintPriority(model, binding, state)}));
  const promoted = ranked
    .filter(({priority}) => priority === 'show')
    .toSorted(
      (one, other) =>
        insteadOrder.indexOf(one.binding.action) - insteadOrder.indexOf(other.binding.action),
    );
  const shown = [
    ...promoted,
    ...ranked.filter(
      ({priority, binding: {isQuiet}}) => priority === 'default' && isQuiet !== true,
    ),
  ];
  const hasComment = commentUnderCursor(model, state) !== undefined;
  return shown
    .map(({binding}) => binding)
    .filter(({keys}) => keys.length > 0)
    .map(({keys, text, short = text, action}) => ({
      action,
      // A click on `1-4` means none of them.
      chord: action === 'choose-way' ? '' : (keys[0] ?? ''),
      keys: hintKeys(model, action, keys, all)
        .map((key) => formatChord(key))
        .join(action === 'choose-way' ? '-' : ' '),
      text:
        leavesFrom(model, action, state) ??
        setsUp(model, action) ??
        amongFiles(model, action) ??
        inTimeline(model, action) ??
        inSmallReview(model, action, hasComment) ??
        (hasComment && action === 'comment-line' ? 'edit comment' : short),
    }));
}

/** Away from home the key leads home; only there it leaves the app. */
function leavesFrom(model: Model, action: ActionName, state: State): string | undefined {
  return action === 'quit' && !isBeforeFirstFrame(model) && !isHome(model, state)
    ? 'home'
    : undefined;
}

/** What the repository lacks first. */
function setsUp({repository: {trouble}}: Model, action: ActionName): string | undefined {
  return action === 'prepare-repository' && trouble === undefined ? 'starter rules' : undefined;
}

/** Alternatives to typing come after other promoted keys, and stopping comes last. */
const insteadOrder: readonly ActionName[] = ['tell', 'note', 'take-over', 'start-command', 'stop'];

/** Usually the first key; all digits that have an option; next and previous together. */
function hintKeys(
  model: Model,
  action: ActionName,
  keys: readonly string[],
  all: readonly Binding[],
): readonly string[] {
  if (action === 'option') {
    const {need} = model;
    return keys.slice(0, need?.kind === 'question' ? selectAnswerOptions(need).length : 0);
  }

  // All numbers from the first to the last.
  if (action === 'choose-way') return [keys[0] ?? '', keys.at(-1) ?? ''];
  const back = all.find((binding) => binding.action === opposites[action])?.keys[0];
  return back === undefined ? keys.slice(0, 1) : [...keys.slice(0, 1), back];
}

/** Actions that share a hint: `] [ next change`. */
const opposites: Readonly<Partial<Record<ActionName, ActionName>>> = {
  'next-change': 'previous-change',
  'next-file': 'previous-file',
};

/** Where files and diff are shown one at a time there is less room for words. */
function inSmallReview(model: Model, action: ActionName, hasComment: boolean): string | undefined {
  if (model.screen !== 'review' || hasFilesBeside(model)) return undefined;
  if (action === 'next-change') return 'change';
  if (action === 'comment-line' && hasComment) return 'edit';
  return action === 'next-file' ? 'file' : undefined;
}

/** Where the chart and the events are shown one at a time, keys name what they lead to. */
function inTimeline(model: Model, action: ActionName): string | undefined {
  if (model.screen !== 'timeline' || !hasOtherPart(model)) return undefined;
  const isChart = selectTimelineLayout(model) === 'chart';
  if (action === 'other-side') return isChart ? 'events' : 'chart';
  return action === 'see-moment' && isChart ? 'events' : undefined;
}

/** Labels of keys that lead from the files of a review to the diff. */
function amongFiles({screen, reviewFocus}: Model, action: string): string | undefined {
  if (screen !== 'review' || reviewFocus !== 'files') return undefined;
  if (action === 'other-side') return 'diff';
  return action === 'open' ? 'read it' : undefined;
}
