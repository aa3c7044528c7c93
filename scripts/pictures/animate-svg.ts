import {createScreen} from '../../source/terminal/index.ts';
import {createStyles, drawRow, drawWindow, rowTop} from './draw-svg.ts';
import type {Cast} from './cast.ts';
import type {TerminalColours} from './to-paint.ts';

export type AnimationOptions = {
  readonly colours: TerminalColours;
  /** How long the whole takes, with the pause at its end. */
  readonly seconds: number;
  /** The moment that is shown where nothing moves, such as in a preview. @default 0 */
  readonly stillSeconds?: number;
  /** @default 12 */
  readonly framesPerSecond?: number;
  /** Called with the text of each frame that differs from the one before. */
  readonly onFrame?: (text: string) => void;
};

/** A row's drawing, and the frames in which it is shown: `[from, to)`. */
type Version = {readonly drawing: string; readonly spans: (readonly [number, number])[]};

/**
 * Draws a recording as an SVG that plays by itself, also as an image in a README. Each row is drawn
 * once for each content that it ever has, and shown when it has it.
 */
export function animateSvg(
  cast: Cast,
  {colours, seconds, stillSeconds = 0, framesPerSecond = 12, onFrame}: AnimationOptions,
): string {
  const styles = createStyles();
  const frames = Math.ceil(seconds * framesPerSecond);
  const still = Math.floor(stillSeconds * framesPerSecond);
  const rows = Array.from({length: cast.rows}, () => new Map<string, Version>());
  const current: {drawing: string; since: number}[] = [];
  const close = (row: number, until: number): void => {
    const {drawing, since} = current[row] ?? {drawing: '', since: until};
    if (drawing === '' || since === until) return;
    const version = rows[row]?.get(drawing) ?? {drawing, spans: []};
    version.spans.push([since, until]);
    rows[row]?.set(drawing, version);
  };

  playFrames(cast, framesPerSecond, frames, (frame, cells, text) => {
    onFrame?.(text);
    for (let row = 0; row < cast.rows; row += 1) {
      const drawing = drawRow(cells, row, colours, styles);
      if (current[row]?.drawing === drawing) continue;
      close(row, frame);
      current[row] = {drawing, since: frame};
    }
  });
  for (let row = 0; row < cast.rows; row += 1) close(row, frames);

  const drawn = rows.flatMap((versions, row) =>
    [...versions.values()].map(
      ({drawing, spans}) =>
        `<g transform="translate(0 ${rowTop(row)})"${visibility(spans, {frames, seconds, still})}${drawing}</g>`,
    ),
  );
  return drawWindow(cast, {title: cast.title, colours}, styles, drawn);
}

/** The rest of the opening tag, and the animation that shows the row in its frames. */
function visibility(
  spans: readonly (readonly [number, number])[],
  {frames, seconds, still}: Readonly<Record<'frames' | 'seconds' | 'still', number>>,
): string {
  const [first] = spans;
  if (spans.length === 1 && first?.[0] === 0 && first[1] === frames) return '>';
  const changes = new Map<number, string>([[0, 'hidden']]);
  for (const [from, to] of spans) {
    changes.set(from, 'visible');
    if (to < frames) changes.set(to, 'hidden');
  }

  const ordered = [...changes].toSorted(([one], [other]) => one - other);
  const times = ordered.map(([frame]) => String(Number((frame / frames).toFixed(4))));
  const values = ordered.map(([, value]) => value);
  const isInStill = spans.some(([from, to]) => from <= still && still < to);
  return `${isInStill ? '' : ' visibility="hidden"'}><animate attributeName="visibility" calcMode="discrete" dur="${seconds}s" repeatCount="indefinite" keyTimes="${times.join(';')}" values="${values.join(';')}"/>`;
}

type OnFrame = (
  frame: number,
  cells: ReturnType<ReturnType<typeof createScreen>['readCells']>,
  text: string,
) => void;

/** Calls `onFrame` for the first frame and for every one in which there was output. */
export function playFrames(
  {columns, rows, events}: Cast,
  framesPerSecond: number,
  frames: number,
  onFrame: OnFrame,
): void {
  const screen = createScreen({columns, rows, scrollback: 0});
  try {
    let next = 0;
    for (let frame = 0; frame < frames; frame += 1) {
      const before = next;
      for (; next < events.length; next += 1) {
        const event = events[next];
        if (event === undefined || event.at > frame / framesPerSecond) break;
        screen.write(new TextEncoder().encode(event.text));
      }

      if (frame === 0 || next > before)
        onFrame(frame, screen.readCells(), screen.text().join('\n'));
    }
  } finally {
    screen.close();
  }
}
