import type {Item} from '../item.ts';

/** Pretend planners have no conversation to go on with. */
export const sameConversation: Item = {
  number: 17,
  title: 'a rejected plan is planned again in the same conversation',
  seenBy: 'test/e2e/loop/planner-conversation.test.ts',
};
