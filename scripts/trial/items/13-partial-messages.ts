import type {Item} from '../item.ts';

export const partialMessages: Item = {
  number: 13,
  title: 'a pane fills while the agent writes',
  seenBy: 'test/agent-runner/activity.test.ts, npm run test:agents',
};
