import {fit, safeLine} from '../model/cell-text.ts';
import {blank, span, type Line} from '../model/line.ts';
import {counted, heading} from './words.ts';

const steps = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const plotRows = 4;
const axisCells = 13;

/** Tokens used by one session after the other, summed up: a small plot from left to right. Where there is no room for all, the latest. */
export function tokenPlot(
  sessions: readonly {readonly name: string; readonly tokens: number}[],
  columns: number,
): Line[] {
  let sum = 0;
  const sums = sessions.map(({tokens}) => (sum += tokens));
  if (sum === 0) return [];
  const room = Math.max(1, columns - axisCells - 3);
  const width = Math.max(1, Math.min(6, Math.floor(room / sums.length)));
  const shown = sums.slice(-Math.floor(room / width));
  const rows = Array.from({length: plotRows}, (_, index): Line => {
    const bars = shown.map((count) =>
      stepAt((count / sum) * plotRows * steps.length - (plotRows - 1 - index) * steps.length)
        .repeat(Math.max(1, width - 1))
        .padEnd(width),
    );
    const axis = index === 0 ? counted(sum) : index === plotRows - 1 ? '0' : '';
    return [span(`  ${axis.padStart(axisCells - 3)} `, 'quiet'), span(bars.join(''), 'accent')];
  });
  return [
    blank,
    heading(' Tokens over time, session by session'),
    ...rows,
    [
      span(
        `${' '.repeat(axisCells)}${namesBelow(
          sessions.slice(-shown.length).map(({name}) => safeLine(name)),
          width,
        )}`,
        'quiet',
      ),
    ],
  ];
}

function stepAt(height: number): string {
  return height <= 0 ? ' ' : (steps[Math.min(steps.length - 1, Math.ceil(height) - 1)] ?? ' ');
}

/** Each below its bar, or every second, every third: so many that they do not run into each other. */
function namesBelow(names: readonly string[], width: number): string {
  const each = Math.max(
    1,
    Math.ceil((Math.min(longestName, Math.max(...names.map(({length}) => length))) + 1) / width),
  );
  return names
    .filter((_, index) => index % each === 0)
    .map((name) => `${fit(name, each * width - 1)} `)
    .join('');
}

const longestName = 6;
