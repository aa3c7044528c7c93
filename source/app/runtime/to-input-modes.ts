import type {InputMode} from '../app-contract.ts';
import type {PaneSet} from '../panes/create-pane-set.ts';
import type {InputModes} from './create-terminal-session.ts';

/** What the terminal reports: as the program in the pane wants it while it is typed into. */
export function toInputModes({typing, mouse}: InputMode, panes: Pick<PaneSet, 'get'>): InputModes {
  const pane = typing === undefined ? undefined : panes.get(typing);
  const modes = pane?.modes();
  const own = mouse === true ? 'click' : 'off';
  return {
    mouse: modes === undefined || modes.mouseTracking === 'off' ? own : modes.mouseTracking,
    applicationCursorKeys: modes?.applicationCursorKeys ?? false,
    applicationKeypad: modes?.applicationKeypad ?? false,
  };
}
