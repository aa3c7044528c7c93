import type {Item} from '../item.ts';

export const silentService: Item = {
  number: 12,
  title: 'retries of an agent are shown, and are no progress',
  seenBy: 'test/e2e/loop/watched-agents.test.ts',
};
