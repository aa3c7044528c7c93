import {getSuite} from './support/suite.ts';

getSuite('codex', {
  rulesIn: 'system',
  shellNeedsConfinement: false,
  cost: false,
  failing: 'told',
  limitUntil: true,
  limit: {
    status: 429,
    body: {
      error: {
        type: 'usage_limit_reached',
        plan_type: 'plus',
        resets_at: Math.floor(Date.now() / 1000) + 7200,
        message: 'The usage limit has been reached',
      },
    },
  },
});
