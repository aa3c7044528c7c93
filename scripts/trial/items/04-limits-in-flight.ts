import type {Item} from '../item.ts';

/** Usage comes from the streams of the real agents, which pretend ones do not have. */
export const limitsInFlight: Item = {
  number: 4,
  title: 'limits hold while an agent works',
  seenBy: 'test/e2e/loop/watched-agents.test.ts, test/domain/agent-watch.test.ts',
};
