import {createContext, use, useRef} from 'react';
import type {State} from '../../domain/index.ts';
import {isSame} from '../../shared/index.ts';
import type {View} from '../app-contract.ts';
import {clockStepMs} from '../model/format-age.ts';
import type {Model} from '../model/model.ts';
import {type SizeClass, toSizeClass} from '../model/size-class.ts';
import type {Size} from '../render/frame.ts';
import type {Highlight} from '../screens/highlight.ts';
import {useStore} from '../store.tsx';
import {noneTheme} from '../theme/few-colours.ts';
import {type Signs, signsFor} from '../theme/signs.ts';
import type {Theme} from '../theme/tokens.ts';

/** What every screen reads. */
export type AppView = View<Model>;

/** A part of the view. The component renders again only when that part is another value. */
export function useView<Selected>(select: (view: AppView) => Selected): Selected {
  return useStore(select);
}

/**
 * Plain data that is made anew for each view. The component renders again only when its content
 * differs.
 */
export function useViewData<Selected>(select: (view: AppView) => Selected): Selected {
  const last = useRef<Selected>(undefined);
  return useStore((view: AppView) => {
    const next = select(view);
    if (!isSame(last.current, next)) last.current = next;
    return last.current as Selected;
  });
}

export function useModel(): Model {
  return useView(({model}) => model);
}

/** The state of the daemon. */
export function useDaemonState(): State {
  return useView(({state}) => state);
}

export function useSize(): Size {
  return useView(({size}) => size);
}

export function useSizeClass(): SizeClass {
  return useView(({size}) => toSizeClass(size));
}

/** Times on the screen change every ten seconds, all of them together. */
export function useNow(): number {
  return useView(({now}) => Math.floor(now / clockStepMs) * clockStepMs);
}

/** How things look: the theme, the signs, and the colours of code once they are loaded. */
export type Look = {
  readonly theme: Theme;
  readonly signs: Signs;
  readonly highlight?: Highlight | undefined;
};

export const LookContext = createContext<Look>({
  theme: noneTheme,
  signs: signsFor({env: {}, setting: 'auto'}),
});

/** The background of the box that something is drawn in, if it is not that of the screen. */
export const SurfaceContext = createContext<string | undefined>(undefined);

export function useLook(): Look {
  return use(LookContext);
}

export function useTheme(): Theme {
  return use(LookContext).theme;
}

export function useSigns(): Signs {
  return use(LookContext).signs;
}
