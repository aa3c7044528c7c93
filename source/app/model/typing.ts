import {formatUnread, insteadOfTyping} from '../../reports/index.ts';
import {selectSession, selectUnreadTyping, type SessionId, type State} from '../../domain/index.ts';
import {keyFor} from '../keymap/key-for.ts';
import type {ActionName} from '../keymap/action-name.ts';
import type {Model} from './model.ts';
import {inCommandMode, withNotice} from './action.ts';
import {focusedPane, isLiveSession} from './pane-grid.ts';
import {sidebarRows} from './sidebar-rows.ts';

/** The actions for alternatives to typing. */
const actionForAlternative = {
  tell: 'tell',
  note: 'note',
  'take-over': 'take-over',
  stop: 'stop',
  shell: 'start-command',
} as const satisfies Readonly<Record<string, ActionName>>;

/**
 * Why a session cannot be typed into, with the keys of alternatives; undefined if it reads input.
 */
export function explainTypingRejected(
  model: Model,
  session: SessionId,
  state: State,
): string | undefined {
  const known = selectSession(state, session);
  const unread = known === undefined ? undefined : selectUnreadTyping(state, known);
  if (known === undefined || unread === undefined) return undefined;
  const ways =
    unread.why === 'ended'
      ? []
      : insteadOfTyping(state, known).map(
          ({does, words}) => `${keyFor(model, actionForAlternative[does], 'workers')} to ${words}`,
        );
  return [
    formatUnread(unread, known),
    ...(ways.length === 0 ? [] : [`Press ${ways.join(', ')}.`]),
  ].join(' ');
}

/**
 * The alternatives to typing into a session: the status line shows them in place of the key to
 * type.
 */
export function alternativeActions(session: SessionId, state: State): ReadonlySet<ActionName> {
  const known = selectSession(state, session);
  const unread = known === undefined ? undefined : selectUnreadTyping(state, known);
  return new Set(
    known === undefined || unread === undefined || unread.why === 'ended'
      ? []
      : insteadOfTyping(state, known).map(({does}) => actionForAlternative[does]),
  );
}

/** Leaves typing. A session that is still opening is not typed into when it comes. */
export function leaveTyping(model: Model): Model {
  return {...inCommandMode(model), opening: undefined};
}

/** A session that the person started is typed into as soon as its terminal is in view. */
export function startTypingIntoOpened(model: Model, state: State): Model {
  const {opening} = model;
  if (opening?.session === undefined) return model;
  const {session, from, isShell} = opening;
  const isGone = selectSession(state, session) !== undefined && !isLiveSession(state, session);
  if (isGone || model.selected !== session || model.screen !== 'workers')
    return {...model, opening: undefined};
  if (focusedPane(model, state)?.session !== session) return model;
  return {
    ...model,
    mode: 'typing',
    typingSession: session,
    opening: undefined,
    visit: isShell ? {session, from} : undefined,
  };
}

/**
 * Leaves typing when its session ends or leaves the view, so that keys never reach another program.
 */
export function leaveEndedSession(model: Model, state: State, now: number): Model {
  if (model.mode === 'command' || model.typingSession === undefined) return model;
  const isInView = focusedPane(model, state)?.session === model.typingSession;
  const isRead =
    model.mode === 'scroll' ||
    explainTypingRejected(model, model.typingSession, state) === undefined;
  if (isInView && isRead) return model;
  if (isInView && isLiveSession(state, model.typingSession))
    return withNotice(
      inCommandMode(model),
      `${model.typingSession} does not ask any more, and reads no keys; they are commands again.`,
      now,
    );
  return withNotice(
    returnFromShell(inCommandMode(model), model.typingSession, state),
    'The program has ended; keys are commands again.',
    now,
  );
}

/**
 * When a shell ends, the row that was selected before is selected again. The output of a command
 * stays in view.
 */
function returnFromShell(model: Model, ended: string, state: State): Model {
  const {visit} = model;
  if (visit?.session !== ended || model.selected !== ended) return model;
  const isThere = sidebarRows(state, state.at).some(({key}) => key === visit.from);
  return {...model, visit: undefined, ...(isThere ? {selected: visit.from} : {})};
}
