import type {Action} from '../model/action.ts';
import {resolveAction} from '../keymap/resolve.ts';
import {createModel, toUiState} from '../model/create-model.ts';
import {computeLayout, focusedPane, selectBodyRect} from '../model/compute-layout.ts';
import {toLeaveByte} from '../keymap/chord.ts';
import type {Model, Repository} from '../model/model.ts';
import {nextRefresh} from '../model/refresh.ts';
import {update} from '../model/update.ts';
import type {Size} from '../render/frame.ts';
import type {App, Layout, LoopOptions} from '../app-contract.ts';
import {noticeMs, statusLine} from '../screens/bars.ts';
import type {Highlight} from '../screens/highlight.ts';
import {renderScreen} from '../screens/render-screen.tsx';
import {getTheme, resolveThemeName} from '../screens/theme.ts';
import {createApp} from './create-app.ts';
import type {Line} from '../model/line.ts';
import {displayWidth} from '../../shared/index.ts';
import {linesOfBody, type ScreenView} from '../screens/body.ts';
import {renderOverlay} from '../screens/overlay-lines.ts';
import {startBody} from '../screens/start-body.ts';

export type AppDefinitionOptions = {
  readonly size: Size;
  readonly repository: Repository;
  readonly uiState: unknown;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Highlights code in diffs. Called when a diff is shown, and again until it is loaded. */
  readonly highlight?: () => Highlight | 'loading' | undefined;
};

/** The pure functions that the loop runs. */
export function defineApp({
  size,
  repository,
  uiState,
  env,
  highlight,
}: AppDefinitionOptions): App<Model, Action> {
  const highlightFor = ({screen}: Model): Highlight | 'loading' | undefined =>
    screen === 'review' ? highlight?.() : undefined;
  return {
    // The variable that Ink programs use.
    model: createModel({
      size,
      repository,
      uiState,
      isScreenReader: env['INK_SCREEN_READER'] === 'true',
    }),
    update,
    keymap: resolveAction,
    layout: (at, model, state): Layout => {
      const {panes} = computeLayout(at, model, state);
      const typing =
        model.mode === 'typing' ? focusedPane({...model, size: at}, state)?.session : undefined;
      const cursor = cursorPosition({model, state, size: at, now: state.at});
      return {
        panes: panes.map(({key, session, inside}) => ({
          session,
          rect: inside,
          ...(model.scrolled[key] === undefined ||
          (key === model.selected && model.terminal !== undefined)
            ? {}
            : {scroll: model.scrolled[key]}),
        })),
        ...(typing === undefined || typing !== model.typingSession ? {} : {typing}),
        ...(model.opening === undefined ? {} : {holdsKeys: true}),
        ...(cursor === undefined ? {} : {cursor}),
        mouse: model.settings.mouse,
        leaveKey: toLeaveByte(model.settings.leave),
      };
    },
    screenOf: (view) => {
      const highlighter = highlightFor(view.model);
      return renderScreen(view, {
        theme: getTheme(resolveThemeName(view.model.settings.theme, env)),
        highlight: highlighter === 'loading' ? undefined : highlighter,
      });
    },
    nextChange: ({model, state, now}) => {
      if (highlightFor(model) === 'loading') return loadingMs;
      const {notice} = model;
      const nextText =
        notice === undefined || now - notice.at >= noticeMs
          ? minuteMs - (now % minuteMs)
          : Math.max(1, notice.at + noticeMs - now);
      return Math.min(nextText, nextRefresh(model, state, now) ?? nextText);
    },
    toUiState,
  };
}

const loadingMs = 50;

/** Ages on the screen change once a minute. */
const minuteMs = 60_000;

export type AppOptions = LoopOptions & {readonly repository: Repository};

/** Runs the app until the person leaves it. Returns the exit code. */
export async function runApp(options: AppOptions): Promise<number> {
  const {repository, uiState, env, terminal} = options;
  const app = defineApp({
    size: terminal.size(),
    repository,
    uiState: uiState.read(),
    env,
    highlight: createLateHighlight(),
  });
  return createApp(app, options).run();
}

/** Loads the highlighter with the first diff: it is a fifth of the code to load and takes 10 MB. */
function createLateHighlight(): () => Highlight | 'loading' | undefined {
  let highlight: Highlight | 'loading' | 'none' | undefined;
  const load = async (): Promise<void> => {
    try {
      const {createHighlight} = await import('../screens/highlight.ts');
      highlight = createHighlight();
    } catch {
      // A broken installation: diffs are readable without colours.
      highlight = 'none';
    }
  };

  return () => {
    if (highlight === undefined) {
      highlight = 'loading';
      void load();
    }

    return highlight === 'none' ? undefined : highlight;
  };
}

type CellPosition = {readonly row: number; readonly column: number};

/**
 * Where the terminal cursor is while the person writes a line: input methods open their window
 * there, and screen readers read there.
 */
export function cursorPosition(view: ScreenView): CellPosition | undefined {
  const {model, state, size} = view;
  const {field} = model;
  if (field === undefined || model.confirmation !== undefined) return undefined;
  const layout = computeLayout(size, model, state);
  if (field.for.what === 'palette') {
    const overlay = renderOverlay(view);
    return overlay && findCaret(overlay.lines, overlay.rect);
  }

  if (field.for.what !== 'objective') return findCaret([statusLine(view)], layout.status);
  const rect = selectBodyRect(layout, model.screen);
  const body = startBody({...view, size: rect});
  return findCaret(linesOfBody(body, model.places[body.list], rect), rect);
}

function findCaret(lines: readonly Line[], {row, column}: CellPosition): CellPosition | undefined {
  for (const [index, line] of lines.entries()) {
    const at = line.findIndex(({tone}) => tone === 'caret');
    if (at !== -1)
      return {
        row: row + index,
        column: column + line.slice(0, at).reduce((sum, {text}) => sum + displayWidth(text), 0),
      };
  }

  return undefined;
}
