import {suiteOf} from './support/suite.ts';

suiteOf('pi', {
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
