import {isTaskId, type State} from '../../domain/index.ts';
import type {ActionName} from '../keymap/action-name.ts';
import {keyFor} from '../keymap/key-for.ts';
import {selectContexts} from '../keymap/resolve.ts';
import {selectReviewFiles} from '../review/select-review.ts';
import {type HintName, hintNames} from './hint-name.ts';
import type {Model} from './model.ts';
import {hasAttentionRow} from './size-class.ts';
import {focusedPane} from './pane-grid.ts';
import {explainTypingRejected} from './typing.ts';

type FirstHint = {
  /** Whether the person is at the place that it is about, and its key works there. */
  readonly isAt: (model: Model, state: State) => boolean;
  readonly text: (model: Model) => string;
  /** Who has used this needs no hint. */
  readonly endedBy: ActionName;
};

/** One hint for each place. */
const firstHints: Readonly<Record<HintName, FirstHint>> = {
  typing: {
    isAt: (model, state) => {
      const session = model.screen === 'workers' ? focusedPane(model, state)?.session : undefined;
      return session !== undefined && explainTypingRejected(model, session, state) === undefined;
    },
    text: (model) =>
      `${keyFor(model, 'type', 'workers')} types into this pane; ${keyFor(model, 'stop-typing', 'typing')} comes back.`,
    endedBy: 'type',
  },
  work: {
    // Before there are tasks, the plan is what comes next. A small window has one pane anyway.
    isAt: (model, state) =>
      model.screen === 'workers' &&
      isTaskId(model.selected) &&
      hasAttentionRow(model.size) &&
      focusedPane(model, state) !== undefined,
    text: (model) =>
      `${keyFor(model, 'zoom', 'workers')} shows the chosen pane alone, and all again.`,
    endedBy: 'zoom',
  },
  plan: {
    isAt: (model, state) => selectContexts(model, state).includes('plan'),
    text: (model) =>
      `${keyFor(model, 'comment-line', 'plan')} comments on what is chosen; ` +
      `${keyFor(model, 'reject-plan', 'plan')} sends it to the planner.`,
    endedBy: 'comment-line',
  },
  review: {
    isAt: (model) => model.screen === 'review' && selectReviewFiles(model).length > 0,
    text: (model) =>
      `${keyFor(model, 'mark-viewed', 'review')} marks this file as viewed and shows the next.`,
    endedBy: 'mark-viewed',
  },
};

/**
 * On the first visit to a place its hint stands until its key is used, or the visit is over. It
 * never comes again: what was shown is remembered.
 */
export function withFirstHint(model: Model, state: State, used: ActionName | undefined): Model {
  const {hints} = model;
  // Before the first state there is no place yet.
  if (model.remembered !== undefined) return model;
  if (hints.standing === undefined && hints.seen.length === hintNames.length) return model;
  const usedUp = hintNames.filter((name) => firstHints[name].endedBy === used);
  const known = new Set([...hints.seen, ...usedUp]);
  const standing = selectStanding(model, state, known, usedUp);
  if (standing !== undefined) known.add(standing);
  const isSame = standing === hints.standing && known.size === hints.seen.length;
  return isSame ? model : {...model, hints: {standing, seen: [...known]}};
}

function selectStanding(
  model: Model,
  state: State,
  known: ReadonlySet<HintName>,
  usedUp: readonly HintName[],
): HintName | undefined {
  const {standing} = model.hints;
  // The one that has just been used up is not followed by another at once.
  if (standing !== undefined && usedUp.includes(standing)) return undefined;
  if (!isAtRest(model)) return standing;
  return hintNames.find(
    (name) => (name === standing || !known.has(name)) && firstHints[name].isAt(model, state),
  );
}

/** The text of the hint that stands, where nothing else is written, asked or explained. */
export function selectFirstHint(model: Model): string | undefined {
  const {standing} = model.hints;
  return standing === undefined || !isAtRest(model) ? undefined : firstHints[standing].text(model);
}

/** Keys are commands of the screen: no field, no question, no help, no typing. */
function isAtRest({mode, opening, field, confirmation, rebinding, help}: Model): boolean {
  return (
    mode === 'command' &&
    opening === undefined &&
    field === undefined &&
    confirmation === undefined &&
    rebinding === undefined &&
    help?.at !== 'place'
  );
}
