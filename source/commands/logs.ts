import {readLog} from '../keeper/index.ts';
import {createOutputFilter} from '../terminal/index.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {askTicket, useTicket} from './ticket.ts';
import {withDaemon} from './with-daemon.ts';

/** The output of a session, also of one that has ended. What could act on a terminal is left out, unless it is wanted raw. */
export async function logs(
  session: string,
  options: {readonly follow?: boolean; readonly raw?: boolean; readonly json?: boolean},
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withDaemon(surroundings, async (daemon) => {
    // Who only reads what is there needs nothing that opens the session.
    const ticket = await askTicket(daemon, session, {read: options.follow !== true});
    const filter = createOutputFilter();
    const decoder = new TextDecoder();
    const show = (offset: number, bytes: Uint8Array): void => {
      if (options.json === true)
        surroundings.out(
          `${JSON.stringify({offset, text: decoder.decode(bytes, {stream: true})})}\n`,
        );
      else surroundings.write(options.raw === true ? bytes : filter.write(bytes));
    };

    let end = 0;
    for (const {offset, bytes} of readLog(ticket.directory)) {
      if (offset > end)
        surroundings.err(`orchestra: ${offset - end} bytes in the middle were dropped\n`);
      show(offset, bytes);
      end = offset + bytes.length;
    }

    if (options.follow !== true || !ticket.isLive) return 0;
    const over = Promise.withResolvers<undefined>();
    const link = await useTicket(session, ticket, {
      output: show,
      news: (reply) => {
        if (reply.type === 'exit') over.resolve(undefined);
      },
    });
    await link.ask({type: 'attach', from: end});
    await Promise.race([over.promise, link.ended]);
    link.close();
    return 0;
  });
}
