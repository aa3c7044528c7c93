import type {Model} from './model.ts';

export const maxRecent = 5;

/** The entries of the palette that were used last, the newest first. */
export function withRecentEntry(model: Model, id: string): Model {
  return {...model, recent: [id, ...model.recent.filter((one) => one !== id)].slice(0, maxRecent)};
}
