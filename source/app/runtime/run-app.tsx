import type {ReactElement} from 'react';
import {App as AppTree} from '../App.tsx';
import type {App, LoopOptions} from '../app-contract.ts';
import {LookContext, useView} from '../hooks/use-view.ts';
import {toLeaveByte} from '../keymap/chord.ts';
import {resolveAction} from '../keymap/resolve.ts';
import {type Action, noticeMs} from '../model/action.ts';
import {createModel, toUiState} from '../model/create-model.ts';
import type {Model, Repository} from '../model/model.ts';
import {focusedPane} from '../model/pane-grid.ts';
import {nextRefresh} from '../model/refresh.ts';
import {update} from '../model/update.ts';
import {detectColourDepth} from '../render/colour.ts';
import type {Size} from '../render/frame.ts';
import type {Highlight} from '../screens/highlight.ts';
import {selectShownTheme} from '../select/palette.ts';
import {createTitleSelector, hasWindowTitle} from '../select/window-title.ts';
import {createThemeSelector} from '../theme/resolve-theme.ts';
import {signsFor} from '../theme/signs.ts';
import {createApp} from './create-app.ts';
import {clockStepMs} from '../model/format-age.ts';

export type AppDefinitionOptions = {
  readonly size: Size;
  readonly repository: Repository;
  readonly uiState: unknown;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Highlights code in diffs. Called when a diff is shown, and again until it is loaded. */
  readonly highlight?: () => Highlight | 'loading' | undefined;
};

/** The pure functions and the component tree that the loop runs. */
export function defineApp({
  size,
  repository,
  uiState,
  env,
  highlight,
}: AppDefinitionOptions): App<Model, Action> {
  const highlightFor = ({screen}: Model): Highlight | 'loading' | undefined =>
    screen === 'review' ? highlight?.() : undefined;
  // The variable that Ink programs use.
  const isScreenReader = env['INK_SCREEN_READER'] === 'true';
  const selectTheme = createThemeSelector(env);
  const depth = detectColourDepth(env);
  const Root = (): ReactElement => {
    const settings = useView(({model}) => model.settings);
    const shownTheme = useView(({model, state}) => selectShownTheme(model, state));
    const terminalColours = useView(({model}) => model.terminalColours);
    const loaded = useView(({model}) => highlightFor(model));
    const look = {
      theme: selectTheme(shownTheme, terminalColours),
      signs: signsFor({env, setting: settings.signs}),
      highlight: loaded === 'loading' ? undefined : loaded,
    };
    return (
      <LookContext value={look}>
        <AppTree />
      </LookContext>
    );
  };

  return {
    model: createModel({size, repository, uiState, isScreenReader}),
    update,
    keymap: resolveAction,
    input: (model, state) => {
      const focused = model.mode === 'typing' ? focusedPane(model, state)?.session : undefined;
      const typing = focused === model.typingSession ? focused : undefined;
      return {
        ...(typing === undefined ? {} : {typing}),
        ...(model.opening === undefined ? {} : {holdsKeys: true}),
        mouse: model.settings.mouse,
        leaveKey: toLeaveByte(model.settings.leave),
      };
    },
    // The Linux console shows what it does not understand of such a query.
    asksColours: ({settings}) =>
      settings.theme === 'auto' && depth !== 'none' && env['TERM'] !== 'linux',
    defaultColours: ({settings, terminalColours}) =>
      selectTheme(settings.theme, terminalColours).pane,
    ...(hasWindowTitle(env) && {title: createTitleSelector(env)}),
    root: <Root />,
    isScreenReader,
    nextChange: ({model, state, now}) => {
      if (highlightFor(model) === 'loading') return loadingMs;
      const {notice} = model;
      const clock = clockStepMs - (now % clockStepMs);
      const nextText =
        notice === undefined || now - notice.at >= noticeMs
          ? clock
          : Math.min(clock, Math.max(1, notice.at + noticeMs - now));
      return Math.min(nextText, nextRefresh(model, state, now) ?? nextText);
    },
    toUiState,
  };
}

const loadingMs = 50;

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
