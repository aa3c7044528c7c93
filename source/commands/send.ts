import {isSessionId, type Event} from '../domain/index.ts';
import {followEvents} from './follow-events.ts';
import {Impossible} from './here.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {withDaemon} from './with-daemon.ts';

/** Types a text into a session, once, and waits until it was typed. */
export async function send(session: string, text: string, options: {readonly enter?: boolean; readonly json?: boolean}, surroundings: Surroundings): Promise<ExitCode> {
  if (!isSessionId(session)) throw new Impossible(`expected a session such as s7, got ${JSON.stringify(session)}`);
  return withDaemon(surroundings, async (daemon, here) => {
    const events = await followEvents(here, daemon.welcome.seq);
    try {
      const answer = (await daemon.ask({about: 'wish', wish: {type: 'send-input', session, text: options.enter === false ? text : `${text}\r`}})) as {readonly events: readonly Event[]};
      const asked = answer.events.find((event) => event.type === 'input-asked');
      const fate = await events.until(
        (event) =>
          ((event.type === 'input-typed' || event.type === 'input-uncertain') && event.session === session && event.input === asked?.input) ||
          ((event.type === 'session-exited' || event.type === 'session-lost') && event.session === session),
      );
      const isTyped = fate.type === 'input-typed';
      if (options.json === true) surroundings.out(`${JSON.stringify({session, input: asked?.input ?? null, typed: isTyped})}\n`);
      else if (!isTyped) surroundings.err(`orchestra: nobody can say whether it was typed into ${session}; look before you send it again\n`);
      return isTyped ? 0 : 1;
    } finally {
      events.close();
    }
  });
}
