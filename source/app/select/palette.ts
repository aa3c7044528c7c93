import type {State} from '../../domain/index.ts';
import type {Model} from '../model/model.ts';
import type {ThemeSetting} from '../theme/resolve-theme.ts';
import {matchText, matchWithTypos} from './match-text.ts';
import {type PaletteEntry, type PaletteSection, selectPaletteEntries} from './palette-entries.ts';

/** An entry that matches what is written, and the characters of its text that do. */
export type PaletteMatch = PaletteEntry & {
  readonly score: number;
  readonly positions: readonly number[];
};

type PaletteView = {
  readonly matches: readonly PaletteMatch[];
  /** How many entries there are in all. */
  readonly count: number;
  /** The marked match; undefined where the person must choose one. */
  readonly cursor: number | undefined;
};

/**
 * The palette for what is written: entries whose letters match, by section. With nothing written,
 * the last five that were used come first.
 */
export function selectPalette(model: Model, state: State): PaletteView {
  const known = palettes.get(model);
  if (known?.state === state) return known.palette;
  const palette = buildPalette(model, state);
  palettes.set(model, {state, palette});
  return palette;
}

const palettes = new WeakMap<Model, {readonly state: State; readonly palette: PaletteView}>();

function buildPalette(model: Model, state: State): PaletteView {
  const entries = selectPaletteEntries(model, state);
  const query = (model.field?.text ?? '').trim();
  const matches = query === '' ? withRecent(entries, model.recent) : filterEntries(entries, query);
  return {matches, count: entries.length, cursor: toCursor(matches, model.places.palette.cursor)};
}

/** A wrong letter counts only where nothing matches without it. */
function filterEntries(entries: readonly PaletteEntry[], query: string): PaletteMatch[] {
  for (const match of [matchText, matchWithTypos]) {
    const found = entries.flatMap((entry): PaletteMatch[] => {
      const own = match(query, entry.text);
      return own === undefined ? [] : [{...entry, ...own}];
    });
    if (found.length > 0) return found.toSorted(bySection);
  }

  return [];
}

/** The sections keep their order; in each, the best match comes first. */
function bySection(one: PaletteMatch, other: PaletteMatch): number {
  const order = sections.indexOf(one.section) - sections.indexOf(other.section);
  return order === 0 ? other.score - one.score : order;
}

const sections: readonly PaletteSection[] = ['Lately', 'Here', 'Go to', 'Settings', 'Help'];

function withRecent(entries: readonly PaletteEntry[], recent: readonly string[]): PaletteMatch[] {
  const plain = entries.map((entry) => ({...entry, score: 0, positions: []}));
  const lately = recent.flatMap((id) => plain.filter((entry) => entry.id === id));
  const section: PaletteSection = 'Lately';
  return [
    ...lately.map((entry) => ({...entry, section})),
    ...plain.filter((entry) => !lately.includes(entry)),
  ];
}

/** Before the person has moved, the best match is marked, but none that decides. */
function toCursor(matches: readonly PaletteMatch[], cursor: number): number | undefined {
  if (matches.length === 0) return undefined;
  if (cursor >= 0) return Math.min(matches.length - 1, cursor);
  const best = matches.reduce<number>((found, match, index) => {
    if (match.decides) return found;
    return found === -1 || match.score > (matches[found]?.score ?? 0) ? index : found;
  }, -1);
  return best === -1 ? undefined : best;
}

/** The place of the palette before the person has moved in it. */
export const unmoved = {cursor: -1, top: 0} as const;

/** A theme shows itself while it is marked, once something was written or moved. */
export function selectShownTheme(model: Model, state: State): ThemeSetting {
  const {field, places, settings} = model;
  if (field?.for.what !== 'palette') return settings.theme;
  if (field.text.trim() === '' && places.palette.cursor < 0) return settings.theme;
  const {matches, cursor} = selectPalette(model, state);
  const target = cursor === undefined ? undefined : matches[cursor]?.leadsTo;
  return target?.type === 'theme' ? target.theme : settings.theme;
}
