import {getSuite} from './support/suite.ts';

// It repeats what fails for ever, and says nothing of it in its stream: a service that fails is a
// matter of the session's own limits.
getSuite('opencode', {
  rulesIn: 'prompt',
  shellNeedsConfinement: false,
  cost: false,
  failing: 'never',
  limitUntil: false,
  limit: {
    status: 402,
    body: {error: {message: 'Insufficient credit balance.', type: 'insufficient_quota'}},
  },
});
