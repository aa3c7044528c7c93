import {sessionOf, type State} from '../../domain/index.ts';
import {saying} from './action.ts';
import {focusedPane, isLiveSession} from './focus.ts';
import {houseRows} from './house-rows.ts';
import type {Model} from './model.ts';
import {typingRefused} from './typing-refused.ts';

/** Keys are commands again. A command that is still being opened is not typed into when it comes. */
export function leaveTyping(model: Model): Model {
  return {...model, mode: 'command', into: undefined, opening: undefined};
}

/** A command of the person's own is typed into from the moment that its terminal is in view. */
export function typeIntoOpened(model: Model, state: State): Model {
  const {opening} = model;
  if (opening?.session === undefined) return model;
  const {session, from, isShell} = opening;
  const isGone = sessionOf(state, session) !== undefined && !isLiveSession(state, session);
  if (isGone || model.selected !== session || model.screen !== 'workers')
    return {...model, opening: undefined};
  if (focusedPane(model, state)?.session !== session) return model;
  return {
    ...model,
    mode: 'typing',
    into: session,
    opening: undefined,
    visit: isShell ? {session, from} : undefined,
  };
}

/** A key that was meant for one program never reaches the next one in its place. */
export function leaveTheEnded(model: Model, state: State, now: number): Model {
  if (model.mode === 'command' || model.into === undefined) return model;
  const isInView = focusedPane(model, state)?.session === model.into;
  const isRead = model.mode === 'scroll' || typingRefused(model, model.into, state) === undefined;
  if (isInView && isRead) return model;
  if (isInView && isLiveSession(state, model.into))
    return saying(
      {...model, mode: 'command', into: undefined},
      `${model.into} does not ask any more, and reads no keys; they are commands again.`,
      now,
    );
  return saying(
    backFromShell({...model, mode: 'command', into: undefined}, model.into, state),
    'The program has ended; keys are commands again.',
    now,
  );
}

/** The end of a shell is not worth a pane: whoever ended it goes on where they were. What a command said stays in view. */
function backFromShell(model: Model, ended: string, state: State): Model {
  const {visit} = model;
  if (visit?.session !== ended || model.selected !== ended) return model;
  const isThere = houseRows(state, state.at).some(({key}) => key === visit.from);
  return {...model, visit: undefined, ...(isThere ? {selected: visit.from} : {})};
}
