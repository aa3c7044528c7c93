import type {LiveState} from '../../client/index.ts';
import type {Run} from '../../domain/index.ts';
import {Impossible} from '../here.ts';

/** Approves what stands in the plan, the rules and the base at this moment, and nothing that comes later. */
export async function approve(live: LiveState, {id, stage}: Run): Promise<void> {
  if (stage.at !== 'reviewing')
    throw new Impossible(`${id} has no plan that waits for you; it is ${stage.at}`);
  const {proposal, ground} = stage;
  await live.ask({
    about: 'wish',
    wish: {
      type: 'approve-plan',
      run: id,
      plan: proposal.hash,
      rules: ground.rules.hash,
      base: ground.base,
    },
  });
}
