import type {MessageDelivery, TaskMessage} from '../../domain/index.ts';

/** How a message reached its agent. */
export function describeDelivery(how: MessageDelivery, session: string): string {
  switch (how) {
    case 'typed':
      return `typed into ${session}`;
    case 'restart':
      return `the agent of ${session} was restarted with it, in the same conversation`;
    case 'prompt':
      return `with the prompt of ${session}`;
  }
}

/** What became of a message, for a person. */
export function describeMessageFate({fate, how, session, why}: TaskMessage): string {
  const because = why === undefined ? '' : `: ${why}`;
  switch (fate) {
    case 'pending':
      return `on its way to ${session ?? 'its worker'}`;
    case 'queued':
      return `queued for the next prompt${because}`;
    case 'delivered':
      return how === undefined || session === undefined
        ? 'delivered'
        : `delivered: ${describeDelivery(how, session)}`;
    case 'failed':
      return `not delivered${because}`;
  }
}
