import {black, contrast, isDark, mix, moveUntil, white} from './contrast.ts';
import {type Colours, themeFromColours} from './from-palette.ts';
import {palettes} from './palettes.ts';
import type {TerminalColours} from './terminal-colours.ts';
import type {Theme} from './tokens.ts';

/** A theme of the terminal's own colours, for a terminal that said what its background is. */
export function themeFromTerminal(
  terminal: TerminalColours & {readonly background: string},
): Theme {
  const colours = coloursFromTerminal(terminal);
  return themeFromColours('auto', {shown: colours, hex: colours, paintsBackground: false});
}

/**
 * The colours of the tokens. Each starts as a colour of the terminal, or as a mixture of its text
 * and background, and moves towards white (dark) or black (light) until it can be read everywhere.
 * The normal colours are used, not the bright ones: in Solarized those are greys.
 */
export function coloursFromTerminal({
  foreground,
  background: bg,
  palette,
}: TerminalColours & {readonly background: string}): Colours {
  const end = isDark(bg) ? white : black;
  const fallback = palettes[isDark(bg) ? 'overture' : 'overture-day'].colours;
  const moved = (colour: string, min: number, behind: readonly string[]): string =>
    moveUntil(colour, end, (one) => behind.every((other) => contrast(one, other) >= min));

  const first = moved(foreground ?? end, minText, [bg]);
  const [surface, raised, border] = [0.04, 0.1, 0.28].map((share) => mix(bg, first, share)) as [
    string,
    string,
    string,
  ];
  const chosen = moved(palette[4] ?? fallback.accent[0], minTone, [bg, surface, raised]);
  const select = mix(bg, chosen, 0.22);
  const tone = (colour: string): string => moved(colour, minTone, [bg, surface, raised, select]);
  const accent = tone(chosen);
  const mode = tone(palette[5] ?? fallback.mode[0]);
  const run = tone(palette[6] ?? fallback.run[0]);
  const good = tone(palette[2] ?? fallback.good[0]);
  const warn = tone(palette[3] ?? fallback.warn[0]);
  const bad = tone(palette[1] ?? fallback.bad[0]);
  const [add, del] = [mix(bg, good, 0.14), mix(bg, bad, 0.14)];
  const [addWord, delWord] = [mix(bg, good, 0.32), mix(bg, bad, 0.32)];
  const readable = moved(first, minTone, [addWord, delWord]);
  const onRaised = moved(readable, minTextOnRaised, [raised, select]);
  const text = moved(onRaised, minText, [bg, surface]);
  const dim = tone(mix(text, bg, 0.3));
  const code = (colour: string): string => moved(colour, minTone, [bg, add, del]);
  return {
    bg,
    surface,
    raised,
    select,
    border,
    faint: moved(mix(text, bg, 0.5), minFaint, [bg, surface]),
    dim,
    text,
    accent,
    mode,
    run,
    good,
    warn,
    bad,
    keyword: code(mode),
    string: code(good),
    number: code(run),
    name: code(accent),
    comment: code(dim),
    add,
    'add-word': addWord,
    del,
    'del-word': delWord,
  };
}

const minText = 7;
const minTextOnRaised = 5.5;
const minTone = 4.5;
const minFaint = 3;
