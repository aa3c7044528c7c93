import {getSuite} from './support/suite.ts';

getSuite('gemini', {
  rulesIn: 'prompt',
  shellNeedsConfinement: true,
  cost: false,
  failing: 'told',
  limitUntil: true,
  limit: {
    status: 429,
    body: {
      error: {
        code: 429,
        status: 'RESOURCE_EXHAUSTED',
        message:
          'You have exhausted your capacity on this model. Your quota will reset after 2h3m4s.',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'QUOTA_EXHAUSTED',
            domain: 'cloudcode-pa.googleapis.com',
          },
        ],
      },
    },
  },
});
