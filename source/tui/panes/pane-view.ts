/** What of a pane the chrome may show. It changes with what the person does, and at most once a second with what the program does. */
export type PaneView = {
  /** What the program calls itself: its own words, made safe. */
  readonly title: string;
  /** How many lines above the end the pane shows; 0 follows the program. */
  readonly scroll: number;
  /** How many there are, as long as it is scrolled. */
  readonly history?: number;
  readonly bells: number;
  readonly search?: {
    readonly words: string;
    readonly matches: number;
    /** From 1, the newest last; 0 if there are none. */ readonly current: number;
  };
  readonly copying?: {readonly lines: number; readonly isSelecting: boolean};
  /** Whether the program wants the mouse. */
  readonly wantsMouse: boolean;
  readonly connection: 'opening' | 'live' | 'ended' | 'failed';
  /** Why it is not live. */
  readonly words?: string;
};

/** How far to go, in copy mode and when scrolling. */
export type Stride = {
  readonly to:
    | 'up'
    | 'down'
    | 'left'
    | 'right'
    | 'half-page-up'
    | 'half-page-down'
    | 'page-up'
    | 'page-down'
    | 'top'
    | 'bottom'
    | 'line-start'
    | 'line-end';
  readonly times?: number;
};
