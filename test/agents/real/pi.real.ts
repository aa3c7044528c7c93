import {getSuite} from './support/suite.ts';

getSuite('pi', {
  rulesIn: 'system',
  shellNeedsConfinement: false,
  cost: true,
  failing: 'told',
  limitUntil: false,
  limit: {
    status: 402,
    body: {error: {message: 'Insufficient credit balance.', type: 'insufficient_quota'}},
  },
});
