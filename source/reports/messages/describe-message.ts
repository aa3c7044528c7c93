import type {MessageDelivery, MessageHold, TaskMessage} from '../../domain/index.ts';

/** How a message reached its agent. */
export function describeDelivery(how: MessageDelivery, session: string): string {
  switch (how) {
    case 'typed':
      return `typed into ${session}`;
    case 'channel':
      return `${session} got it while it works`;
    case 'restart':
      return `the agent of ${session} was restarted with it, in the same conversation`;
    case 'prompt':
      return `with the prompt of ${session}`;
  }
}

/** Why a message is not typed yet, and what to do. */
export function describeHold(why: MessageHold): string {
  switch (why) {
    case 'draft':
      return 'your unfinished text stands in its input; send or delete it';
    case 'dialog':
      return 'its agent asks something; answer it first';
    case 'turn':
      return 'its agent takes it when it has ended its turn';
  }
}

/** What became of a message, for a person. */
export function describeMessageFate({fate, how, session, why, held}: TaskMessage): string {
  const because = why === undefined ? '' : `: ${why}`;
  switch (fate) {
    case 'pending':
      return `on its way to ${session ?? 'its worker'}${held === undefined ? '' : `: ${describeHold(held.why)}`}`;
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
