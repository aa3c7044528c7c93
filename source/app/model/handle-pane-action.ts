import {isTaskId, selectNeeds, type SessionId, type State} from '../../domain/index.ts';
import type {UiEffect} from '../app-contract.ts';
import {
  inCommandMode,
  noChange,
  openField,
  type Result,
  withEffects,
  withNotice,
} from './action.ts';
import {focusedPane, rowOfNeed, selectedRow, selectPaneGrid} from './pane-grid.ts';
import {runInView, type SidebarRow, sidebarRows} from './sidebar-rows.ts';
import {keyFor} from '../keymap/key-for.ts';
import type {Grid, Model} from './model.ts';
import {focusRow, move, paneBeside} from './move.ts';
import {pasteImage} from './pasted-files.ts';
import {openScreen} from './open-screen.ts';
import {formatTerminal, selectTerminal, selectTerminals} from './select-terminals.ts';
import {explainTypingRejected, leaveTyping} from './typing.ts';

export type PaneAction =
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
  | 'paste-image'
  | 'follow-needy'
  | 'other-terminal';

/**
 * Actions on panes: focus, zoom, scroll, search, copy, type. None of them sends a command to the
 * daemon.
 */
export function handlePaneAction(
  model: Model,
  action: PaneAction,
  chord: string,
  state: State,
  now: number,
): Result {
  // For a screen reader, list and pane are never shown together.
  const pane = focusedPane(model.isScreenReader ? {...model, isZoomed: true} : model, state);
  const session = model.typingSession ?? pane?.session;
  const missing = (): Result =>
    noChange(
      withNotice(
        model,
        selectedRow(model, state) === undefined
          ? 'There is no pane here yet.'
          : `This has no terminal now. ${keyFor(model, 'next-pane')} leads to one that has.`,
        now,
      ),
    );
  switch (action) {
    case 'type':
      return session === undefined ? missing() : startTyping(model, session, state, now);
    case 'stop-typing':
      return noChange(leaveTyping(model));
    case 'zoom':
      return pane === undefined ? missing() : noChange({...model, isZoomed: !model.isZoomed});
    case 'next-pane':
    case 'previous-pane':
      return stepPane(model, action === 'next-pane' ? 1 : -1, state);
    case 'pane-left':
    case 'pane-right':
    case 'pane-up':
    case 'pane-down': {
      const key = paneBeside(
        model,
        action.slice('pane-'.length) as 'left' | 'right' | 'up' | 'down',
        state,
      );
      return key === undefined ? noChange(model) : focusRow(model, key, state);
    }

    case 'numbered-pane': {
      const row = selectNumberedRow(model, Number(chord), state);
      return row === undefined
        ? noChange(withNotice(model, `There is no task ${chord}.`, now))
        : focusRow(model, row.key, state);
    }

    case 'more-panes':
    case 'fewer-panes':
      return noChange(changeGrid(model, action === 'more-panes' ? 1 : -1, state, now));
    case 'follow-needy': {
      const settings = {...model.settings, followsNeedy: !model.settings.followsNeedy};
      const next = withNotice(
        {...model, settings},
        settings.followsNeedy
          ? 'The focus goes to whoever needs you.'
          : 'The focus stays where you put it.',
        now,
      );
      const rows = settings.followsNeedy
        ? selectNeeds(state).flatMap((need) => rowOfNeed(need, state) ?? [])
        : [];
      // Needs that already wait count too; a focused row that waits keeps the focus.
      const needy = rows.find(({key}) => key === model.selected) ?? rows[0];
      return needy === undefined ? noChange(next) : focusRow(next, needy.key, state);
    }

    case 'other-terminal':
      return otherTerminal(model, pane?.session, state, now);
    case 'attach':
      return session === undefined ? missing() : withEffects(model, {type: 'hand-over', session});
    case 'paste-image':
      return session === undefined ? missing() : pasteImage(model, session, state, now);
    case 'scroll':
      return session === undefined
        ? missing()
        : withEffects(
            {
              ...model,
              mode: 'scroll',
              typingSession: session,
              ...(model.isScreenReader ? {isZoomed: true} : {}),
            },
            {type: 'copy-mode', session, isOn: true},
          );
    case 'search-pane':
      return session === undefined
        ? missing()
        : noChange(openField(model, {what: 'search-pane', session}, 'Search'));
    case 'stop-scrolling':
      return session === undefined
        ? noChange(inCommandMode(model))
        : withEffects(inCommandMode(model), ...leaveScrolling(session));
    case 'next-match':
    case 'previous-match':
      return session === undefined
        ? missing()
        : withEffects(model, {
            type: 'search-step',
            session,
            direction: action === 'next-match' ? 'older' : 'newer',
          });
    case 'left':
    case 'right':
    case 'line-start':
    case 'line-end':
      return session === undefined
        ? missing()
        : withEffects(model, {type: 'copy-move', session, by: {to: action}});
    case 'mark':
    case 'mark-lines': {
      if (session === undefined) return missing();
      const isSelecting = model.views[session]?.copying?.isSelecting === true;
      const whole = action === 'mark' ? 'characters' : 'lines';
      return withEffects(model, {
        type: 'copy-anchor',
        session,
        whole: isSelecting ? 'nothing' : whole,
      });
    }

    case 'copy':
      if (session !== undefined && model.views[session]?.copying?.isSelecting === false)
        return noChange(
          withNotice(
            model,
            `Nothing is marked. ${keyFor(model, 'mark')} marks from here, ${keyFor(model, 'mark-lines')} whole lines.`,
            now,
          ),
        );
      return session === undefined
        ? missing()
        : withEffects(
            inCommandMode(model),
            {type: 'copy-selection', session},
            ...leaveScrolling(session),
          );
  }
}

function startTyping(model: Model, session: SessionId, state: State, now: number): Result {
  const rejected = explainTypingRejected(model, session, state);
  if (rejected !== undefined) return noChange(withNotice(model, rejected, now));
  return noChange({
    ...model,
    mode: 'typing',
    typingSession: session,
    ...(model.isScreenReader ? {isZoomed: true} : {}),
  });
}

/** Clears search and copy mode, so that the pane follows the program again. */
function leaveScrolling(session: SessionId): UiEffect[] {
  return [
    {type: 'copy-mode', session, isOn: false},
    {type: 'search', session, text: ''},
    {type: 'scroll', session, by: {to: 'bottom'}},
  ];
}

/** Shows the terminal before the current one, and wraps around. */
function otherTerminal(
  model: Model,
  shown: SessionId | undefined,
  state: State,
  now: number,
): Result {
  const all = isTaskId(model.selected) ? selectTerminals(state, model.selected) : [];
  if (all.length < 2)
    return noChange(
      withNotice(
        model,
        all.length === 0 ? 'There is no other terminal here.' : 'It has no other terminal.',
        now,
      ),
    );
  const own = isTaskId(model.selected) ? selectTerminal(state, model.selected)?.id : undefined;
  const at = all.findIndex(({id}) => id === shown);
  const next = all[(at + all.length - 1) % all.length];
  return next === undefined
    ? noChange(model)
    : noChange(
        withNotice(
          {...model, terminal: next.id === own ? undefined : next.id},
          `${formatTerminal(next)}: ${all.indexOf(next) + 1} of ${all.length}`,
          now,
        ),
      );
}

/** Focuses the next or previous pane, across pages, and wraps around. */
function stepPane(model: Model, by: 1 | -1, state: State): Result {
  if (model.screen !== 'workers') return openScreen(model, 'workers', state);
  const rows = sidebarRows(state, state.at).filter(
    ({key, isPane, session}) => session !== undefined && (isPane || key === model.selected),
  );
  if (!rows.some(({isPane}) => isPane)) return move(model, by === 1 ? 'down' : 'up', state);
  const at = rows.findIndex(({key}) => key === model.selected);
  return focusRow(
    model,
    rows[at === -1 ? 0 : (at + by + rows.length) % rows.length]?.key ?? model.selected,
    state,
  );
}

/** The task of this number in the run in view. */
function selectNumberedRow(model: Model, number: number, state: State): SidebarRow | undefined {
  const run = runInView(state, model.selected);
  const tasks = sidebarRows(state, state.at).filter((row) => row.number === number);
  return tasks.find(({key}) => key.startsWith(`${run ?? ''}.`)) ?? tasks[0];
}

const gridSizes: readonly Grid[] = [1, 2, 4, 6];

/** The next larger or smaller grid, starting from the panes in view if the grid is `auto`. */
function changeGrid(model: Model, by: 1 | -1, state: State, now: number): Model {
  const seen = selectPaneGrid({...model, isZoomed: false}, state).panes.length;
  const current =
    model.grid === 'auto'
      ? gridSizes.findLastIndex((grid) => Number(grid) <= Math.max(1, seen))
      : gridSizes.indexOf(model.grid);
  const grid = gridSizes[Math.max(0, Math.min(gridSizes.length - 1, current + by))] ?? 1;
  return withNotice(
    {...model, grid, isZoomed: false},
    grid === 1 ? 'One pane.' : `Up to ${grid} panes.`,
    now,
  );
}
