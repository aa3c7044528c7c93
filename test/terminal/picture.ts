import type {Screen} from '../../source/terminal/index.ts';

export type Picture = {
  readonly text: readonly string[];
  readonly message: string;
  readonly clusters: readonly [number, string][];
} & Pick<Screen, 'cursor' | 'modes'>;

/** Everything that can be seen of a screen, to be compared. */
export function getPicture(screen: Screen): Picture {
  const {words, clusters} = screen.readCells();
  const {cursor, modes} = screen;
  return {text: screen.text(), message: words.join(' '), clusters: [...clusters], cursor, modes};
}

export function write(screen: Screen, text: string): void {
  screen.write(new TextEncoder().encode(text));
}
