import {isTaskId, needsOf, type SessionId, type State} from '../../domain/index.ts';
import type {UiEffect} from '../seam.ts';
import {doing, only, saying, type Result} from './action.ts';
import {openField} from './fields.ts';
import {focusedPane, rowOfNeed, selectedRow} from './focus.ts';
import {houseRows} from './house-rows.ts';
import {keyFor} from './key-for.ts';
import type {Grid, Model} from './model.ts';
import {move, paneBeside, select} from './move.ts';
import {openScreen} from './open-screen.ts';
import {paneRows, plotOf} from './plot-of.ts';
import {terminalInWords, terminalOf, terminalsOf} from './terminals-of.ts';
import {leaveTyping} from './type-into.ts';
import {typingRefused} from './typing-refused.ts';

export type PaneDeed =
  | 'type'
  | 'stop-typing'
  | 'zoom'
  | 'next-pane'
  | 'previous-pane'
  | 'pane-left'
  | 'pane-right'
  | 'pane-up'
  | 'pane-down'
  | 'numbered-pane'
  | 'more-panes'
  | 'fewer-panes'
  | 'scroll'
  | 'stop-scrolling'
  | 'search-pane'
  | 'next-match'
  | 'previous-match'
  | 'left'
  | 'right'
  | 'line-start'
  | 'line-end'
  | 'mark'
  | 'mark-lines'
  | 'copy'
  | 'attach'
  | 'follow-needy'
  | 'other-terminal';

/** Looking at panes, and typing into one. None of it changes what the house does. */
export function doPaneDeed(
  model: Model,
  does: PaneDeed,
  chord: string,
  state: State,
  now: number,
): Result {
  // A screen reader has the list or the pane before it, never both.
  const pane = focusedPane(model.isReader ? {...model, isZoomed: true} : model, state);
  const session = model.into ?? pane?.session;
  const missing = (): Result =>
    only(
      saying(
        model,
        selectedRow(model, state) === undefined
          ? 'There is no pane here yet.'
          : `This has no terminal now. ${keyFor(model, 'next-pane')} leads to one that has.`,
        now,
      ),
    );
  switch (does) {
    case 'type':
      if (session === undefined) return missing();
      {
        const refused = typingRefused(model, session, state);
        if (refused !== undefined) return only(saying(model, refused, now));
      }

      return only({
        ...model,
        mode: 'typing',
        into: session,
        ...(model.isReader ? {isZoomed: true} : {}),
      });
    case 'stop-typing':
      return only(leaveTyping(model));
    case 'zoom':
      return pane === undefined ? missing() : only({...model, isZoomed: !model.isZoomed});
    case 'next-pane':
    case 'previous-pane':
      return step(model, does === 'next-pane' ? 1 : -1, state, now);
    case 'pane-left':
    case 'pane-right':
    case 'pane-up':
    case 'pane-down': {
      const key = paneBeside(
        model,
        does.slice('pane-'.length) as 'left' | 'right' | 'up' | 'down',
        state,
      );
      return key === undefined ? only(model) : select(model, key, state);
    }

    case 'numbered-pane': {
      const row = paneRows(model, houseRows(state, state.at))[Number(chord) - 1];
      return row === undefined
        ? only(saying(model, `There is no pane ${chord}.`, now))
        : select(model, row.key, state);
    }

    case 'more-panes':
    case 'fewer-panes':
      return only(changeGrid(model, does === 'more-panes' ? 1 : -1, state, now));
    case 'follow-needy': {
      const settings = {...model.settings, followsNeedy: !model.settings.followsNeedy};
      const next = saying(
        {...model, settings},
        settings.followsNeedy
          ? 'The focus goes to whoever needs you.'
          : 'The focus stays where you put it.',
        now,
      );
      const rows = settings.followsNeedy
        ? needsOf(state).flatMap((need) => rowOfNeed(need, state) ?? [])
        : [];
      // Whoever waits already is not passed over; who has the focus and waits keeps it.
      const needy = rows.find(({key}) => key === model.selected) ?? rows[0];
      return needy === undefined ? only(next) : select(next, needy.key, state);
    }

    case 'other-terminal':
      return otherTerminal(model, pane?.session, state, now);
    case 'attach':
      return session === undefined ? missing() : doing(model, {type: 'hand-over', session});
    case 'scroll':
      return session === undefined
        ? missing()
        : doing(
            {...model, mode: 'scroll', into: session, ...(model.isReader ? {isZoomed: true} : {})},
            {type: 'copy-mode', session, isOn: true},
          );
    case 'search-pane':
      return session === undefined
        ? missing()
        : only(openField(model, {what: 'search-pane', session}, 'Search'));
    case 'stop-scrolling':
      return session === undefined
        ? only({...model, mode: 'command', into: undefined})
        : doing({...model, mode: 'command', into: undefined}, ...leaveScrolling(session));
    case 'next-match':
    case 'previous-match':
      return session === undefined
        ? missing()
        : doing(model, {
            type: 'search-step',
            session,
            direction: does === 'next-match' ? 'older' : 'newer',
          });
    case 'left':
    case 'right':
    case 'line-start':
    case 'line-end':
      return session === undefined
        ? missing()
        : doing(model, {type: 'copy-move', session, by: {to: does}});
    case 'mark':
    case 'mark-lines':
      return session === undefined
        ? missing()
        : doing(model, {
            type: 'copy-anchor',
            session,
            whole:
              model.views[session]?.copying?.isSelecting === true
                ? 'nothing'
                : does === 'mark'
                  ? 'characters'
                  : 'lines',
          });
    case 'copy':
      if (session !== undefined && model.views[session]?.copying?.isSelecting === false)
        return only(
          saying(
            model,
            `Nothing is marked. ${keyFor(model, 'mark')} marks from here, ${keyFor(model, 'mark-lines')} whole lines.`,
            now,
          ),
        );
      return session === undefined
        ? missing()
        : doing(
            {...model, mode: 'command', into: undefined},
            {type: 'copy-selection', session},
            ...leaveScrolling(session),
          );
  }
}

/** What was sought is not sought any more, and the pane shows what the program draws. */
function leaveScrolling(session: SessionId): UiEffect[] {
  return [
    {type: 'copy-mode', session, isOn: false},
    {type: 'search', session, words: ''},
    {type: 'scroll', session, by: {to: 'bottom'}},
  ];
}

/** From the terminal that is shown to the one before it, and round again. */
function otherTerminal(
  model: Model,
  shown: SessionId | undefined,
  state: State,
  now: number,
): Result {
  const all = isTaskId(model.selected) ? terminalsOf(state, model.selected) : [];
  if (all.length < 2)
    return only(
      saying(
        model,
        all.length === 0 ? 'There is no other terminal here.' : 'It has no other terminal.',
        now,
      ),
    );
  const own = isTaskId(model.selected) ? terminalOf(state, model.selected)?.id : undefined;
  const at = all.findIndex(({id}) => id === shown);
  const next = all[(at + all.length - 1) % all.length];
  return next === undefined
    ? only(model)
    : only(
        saying(
          {...model, terminal: next.id === own ? undefined : next.id},
          `${terminalInWords(next)}: ${all.indexOf(next) + 1} of ${all.length}`,
          now,
        ),
      );
}

/** Round the panes, also those of the next page. */
function step(model: Model, by: 1 | -1, state: State, now: number): Result {
  if (model.screen !== 'workers') return openScreen(model, 'workers', state);
  const rows = houseRows(state, state.at).filter(
    ({key, isPane, session}) => session !== undefined && (isPane || key === model.selected),
  );
  if (!rows.some(({isPane}) => isPane)) return move(model, by === 1 ? 'down' : 'up', state, now);
  const at = rows.findIndex(({key}) => key === model.selected);
  return select(
    model,
    rows[at === -1 ? 0 : (at + by + rows.length) % rows.length]?.key ?? model.selected,
    state,
  );
}

const grids: readonly Grid[] = [1, 2, 4, 6];

/** From what is seen now, which `auto` has chosen, to the next larger or smaller grid. */
function changeGrid(model: Model, by: 1 | -1, state: State, now: number): Model {
  const seen = plotOf(model.size, {...model, isZoomed: false}, state).panes.length;
  const current =
    model.grid === 'auto'
      ? grids.findLastIndex((grid) => Number(grid) <= Math.max(1, seen))
      : grids.indexOf(model.grid);
  const grid = grids[Math.max(0, Math.min(grids.length - 1, current + by))] ?? 1;
  return saying(
    {...model, grid, isZoomed: false},
    grid === 1 ? 'One pane.' : `Up to ${grid} panes.`,
    now,
  );
}
