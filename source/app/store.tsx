import {createContext, use, useSyncExternalStore} from 'react';

/** Holds what the screens show. The loop sets it; components select parts of it. */
export type Store<View> = {
  readonly get: () => View;
  readonly set: (view: View) => void;
  readonly subscribe: (onChange: () => void) => () => void;
};

export function createStore<View>(first: View): Store<View> {
  let view = first;
  const listeners = new Set<() => void>();
  return {
    get: () => view,
    set(next) {
      view = next;
      for (const onChange of listeners) onChange();
    },
    subscribe(onChange) {
      listeners.add(onChange);
      return () => {
        listeners.delete(onChange);
      };
    },
  };
}

export const StoreContext = createContext<Store<unknown> | undefined>(undefined);

/**
 * A part of the view. The component renders again only when that part is another value. The
 * context knows no type of view: `select` names the one that the app around it sets.
 */
export function useStore<Selected>(select: (view: never) => Selected): Selected {
  const store = use(StoreContext) as Store<never> | undefined;
  if (store === undefined) throw new Error('expected a StoreContext around this component');
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}
