import type {Action} from '../model/action.ts';
import {actionOf} from '../model/action-of.ts';
import {createModel} from '../model/create-model.ts';
import {focusedPane} from '../model/focus.ts';
import {leaveKeyOf} from '../model/leave-key-of.ts';
import {memoryOf} from '../model/memory.ts';
import type {Model, Repository} from '../model/model.ts';
import {plotOf} from '../model/plot-of.ts';
import {nextRefresh} from '../model/refresh.ts';
import {update} from '../model/update.ts';
import type {Size} from '../render/rect.ts';
import type {App, Layout} from '../seam.ts';
import {noticeMs} from './bars.ts';
import {caretOf} from './caret-of.ts';
import type {Highlight} from './highlight.ts';
import {screenOf} from './screen-of.tsx';
import {themeNameOf, themeOf} from './theme.ts';

export type AppWishes = {
  readonly size: Size;
  readonly repository: Repository;
  readonly memory: unknown;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Colours code in diffs. Asked for when a diff is shown, and from then on until it is loaded. */
  readonly highlight?: () => Highlight | 'loading' | undefined;
};

/** The app as the loop wants it: model, update, keys, places and screens, all pure. */
export function appOf({size, repository, memory, env, highlight}: AppWishes): App<Model, Action> {
  const coloursFor = ({screen}: Model): Highlight | 'loading' | undefined =>
    screen === 'review' ? highlight?.() : undefined;
  return {
    // The name that Ink's own programs go by.
    model: createModel({size, repository, memory, isReader: env['INK_SCREEN_READER'] === 'true'}),
    update,
    keymap: actionOf,
    layout: (at, model, state): Layout => {
      const {panes} = plotOf(at, model, state);
      const typing =
        model.mode === 'typing' ? focusedPane({...model, size: at}, state)?.session : undefined;
      const cursor = caretOf({model, state, size: at, now: state.at});
      return {
        panes: panes.map(({key, session, inside}) => ({
          session,
          rect: inside,
          ...(model.scrolled[key] === undefined ||
          (key === model.selected && model.terminal !== undefined)
            ? {}
            : {scroll: model.scrolled[key]}),
        })),
        ...(typing === undefined || typing !== model.into ? {} : {typing}),
        ...(model.opening === undefined ? {} : {holdsKeys: true}),
        ...(cursor === undefined ? {} : {cursor}),
        mouse: model.settings.mouse,
        leaveKey: leaveKeyOf(model.settings.leave),
      };
    },
    screenOf: (view) => {
      const colours = coloursFor(view.model);
      return screenOf(view, {
        theme: themeOf(themeNameOf(view.model.settings.theme, env)),
        highlight: colours === 'loading' ? undefined : colours,
      });
    },
    nextChange: ({model, state, now}) => {
      if (coloursFor(model) === 'loading') return loadingMs;
      const {notice} = model;
      const said =
        notice === undefined || now - notice.at >= noticeMs
          ? minute - (now % minute)
          : Math.max(1, notice.at + noticeMs - now);
      return Math.min(said, nextRefresh(model, state, now) ?? said);
    },
    memoryOf,
  };
}

const loadingMs = 50;

/** Ages change once a minute. */
const minute = 60_000;
