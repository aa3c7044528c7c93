/** The meanings that have a colour. Components name a token; a theme says how it looks. */
export const tokens = [
  'bg',
  'surface',
  'raised',
  'select',
  'border',
  'faint',
  'dim',
  'text',
  'accent',
  'mode',
  'run',
  'good',
  'warn',
  'bad',
  'keyword',
  'string',
  'number',
  'name',
  'comment',
  'add',
  'add-word',
  'del',
  'del-word',
] as const;
export type Token = (typeof tokens)[number];

/** Tokens that lie behind text. `mode` is one as the bar that is shown while typing. */
export const surfaces = [
  'bg',
  'surface',
  'raised',
  'select',
  'add',
  'add-word',
  'del',
  'del-word',
  'mode',
] as const;
export type Surface = (typeof surfaces)[number];

/** The props that Ink's `<Text>` takes. Colours are `#rrggbb`, `ansi256(n)` or a name of ANSI. */
export type TextStyle = {
  readonly color?: string;
  readonly backgroundColor?: string;
  readonly bold?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
};

export type Theme = {
  readonly name: string;
  readonly styles: Readonly<Record<Token, TextStyle>>;
  /**
   * The style of a Box or Text that is such a surface: its background, or inverse where there are no
   * colours. On `mode` and on changed words it has the text colour too, because not every token is
   * readable there: spread it last.
   */
  readonly fill: (surface: Surface) => TextStyle;
  /** Every cell of the app gets `bg`. Otherwise the background of the terminal shows through. */
  readonly paintsBackground: boolean;
  /** The colours of panes where their program uses the terminal's own. */
  readonly pane?: {readonly text: string; readonly bg: string};
  /** `heavy`: the frame of the focus is heavy, because its colour alone does not show it. */
  readonly frames: 'colour' | 'heavy';
};
