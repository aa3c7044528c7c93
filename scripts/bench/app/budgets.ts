import {type Goal, quantile, show, staysBelow} from '../sessions/figures.ts';
import type {KeyCosts} from './list-keys.ts';
import type {Figures} from './measure.ts';
import {printedLines, type StillFrames} from './still-frames.ts';

export type Measured = {
  readonly ours: Figures;
  readonly tmux: Figures;
  /** Of a key in each list: ours, and the version before if there is one. */
  readonly keys: KeyCosts;
  readonly keysBefore: KeyCosts | undefined;
  readonly still: StillFrames;
};

/** Each figure with its budget. What was not measured is left out. */
export function getBudgets({ours, tmux, keys, keysBefore, still}: Measured): readonly Goal[] {
  const at = (times: readonly number[] | undefined, share: number): number =>
    quantile(times ?? [], share);
  const ratio = (share: number, of: 'keys' | 'flooded' | 'interface' | 'grid'): number =>
    at(ours[of], share) / at(tmux[of], share);
  const viewerOf = (count: number): number => ours.memory.get(count)?.viewer ?? Number.NaN;
  const node = ours.bare ?? Number.NaN;
  const all = [
    staysBelow('first useful frame, to bare Node', (ours.first ?? Number.NaN) / node, 1.5),
    staysBelow('first live frame, to bare Node', (ours.live ?? Number.NaN) / node, 5),
    ...[...keys].map(([list, ms]) =>
      staysBelow(`a key in the ${list}, ms of processor time`, ms, 8),
    ),
    ...compared.map((list) =>
      staysBelow(
        `a key in the ${list}, to the version before`,
        (keys.get(list) ?? Number.NaN) / (keysBefore?.get(list) ?? Number.NaN),
        0.6,
      ),
    ),
    staysBelow('echo in a pane, p50, to tmux', ratio(0.5, 'keys'), 2.5),
    staysBelow(
      'echo in an agent-like interface, zoomed, p50, to tmux',
      ratio(0.5, 'interface'),
      2.5,
    ),
    staysBelow('the same in a 2×2 grid, p50, to tmux', ratio(0.5, 'grid'), 2.5),
    staysBelow('echo beside eight floods, p50, to tmux', ratio(0.5, 'flooded'), 0.1),
    staysBelow('echo beside eight floods, p99, to tmux', ratio(0.99, 'flooded'), 0.25),
    staysBelow('idle, % of a core', (ours.idle ?? Number.NaN) * 100, 1),
    staysBelow(`React commits for ${printedLines} lines of output`, still.commits, 0),
    staysBelow('bytes written when nothing changed', still.bytes, 0),
    staysBelow('memory of the app, 32 sessions to 8', viewerOf(32) / viewerOf(8), 1.15),
  ];
  return all.filter(({got}) => got !== show(Number.NaN));
}

/** Lists that the version before had in the same form. */
const compared = ['plan', 'diff', 'timeline'];
