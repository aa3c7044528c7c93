import {getSuite} from './support/suite.ts';

getSuite('claude', {
  rulesIn: 'system',
  shellNeedsConfinement: true,
  cost: true,
  failing: 'told',
  limitUntil: false,
  limit: {
    status: 429,
    body: {
      type: 'error',
      error: {
        type: 'rate_limit_error',
        message: 'Number of requests has exceeded your rate limit.',
      },
    },
  },
});
