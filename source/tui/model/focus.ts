import {liveSessionsOf, type Need, type SessionId, type State} from '../../domain/index.ts';
import {houseRows, type HouseRow} from './house-rows.ts';
import type {Model} from './model.ts';
import {plotOf, type Framed} from './plot-of.ts';

/** The pane that has the focus, if one is in view. */
export function focusedPane(model: Model, state: State): Framed | undefined {
  return plotOf(model.size, model, state).panes.find(({isFocused}) => isFocused);
}

export function isLiveSession(state: State, session: SessionId): boolean {
  return liveSessionsOf(state).some(({id}) => id === session);
}

export function selectedRow(model: Model, state: State): HouseRow | undefined {
  return houseRows(state, state.at).find(({key}) => key === model.selected);
}

/** The row whose pane shows what is needed, if it is shown in a pane. */
export function rowOfNeed(need: Need | undefined, state: State): HouseRow | undefined {
  const session = need !== undefined && 'session' in need ? need.session : undefined;
  return session === undefined
    ? undefined
    : houseRows(state, state.at).find((row) => row.session === session);
}

/** Where the focus is when what had it is gone: a pane if there is one, else the first row. */
export function firstRow(state: State): string {
  const rows = houseRows(state, state.at);
  const isLiving = ({session}: HouseRow): boolean =>
    session !== undefined && state.live.includes(session);
  return (
    (rows.find((row) => row.isPane && isLiving(row)) ?? rows.find(({isPane}) => isPane) ?? rows[0])
      ?.key ?? ''
  );
}
