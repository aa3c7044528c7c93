import type {Layout, PanePlace, TargetPlace} from '../app-contract.ts';
import type {Place} from '../ink/create-tree-painter.ts';

/** Where panes and targets are, for the loop: later ones lie over earlier ones. */
export function toLayoutPlaces(found: readonly Place[]): Pick<Layout, 'panes' | 'targets'> {
  const panes: PanePlace[] = [];
  const targets: TargetPlace[] = [];
  for (const {region, rect} of found) {
    if (region.kind === 'pane')
      panes.push({
        session: region.session,
        rect,
        ...(region.scroll === undefined ? {} : {scroll: region.scroll}),
        ...(region.isFocused === true && {isFocused: true}),
      });
    if (region.kind === 'target')
      targets.push({target: region.target, rect, panesBelow: panes.length});
  }

  return {panes, targets};
}
