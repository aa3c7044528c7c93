import type {Item} from '../item.ts';

export const trustDialogs: Item = {
  number: 11,
  title: 'first-start dialogs of agents are answered or told',
  seenBy: 'test/agents/read-dialog.test.ts, test/daemon/launch/agent-state.test.ts',
};
