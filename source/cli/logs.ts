import {readLog} from '../keeper/index.ts';
import {createOutputFilter} from '../terminal/index.ts';
import type {CliContext, ExitCode} from './cli-context.ts';
import {followSession} from './follow-session.ts';
import {askTicket} from './ticket.ts';
import {withDaemon} from './with-daemon.ts';

/**
 * Prints the output of a running or ended session, without control sequences unless `--raw` is
 * given.
 */
export async function logs(
  session: string,
  options: {readonly follow?: boolean; readonly raw?: boolean; readonly json?: boolean},
  cli: CliContext,
): Promise<ExitCode> {
  return withDaemon(cli, async (daemon) => {
    // Reading existing output needs no access to the session itself.
    const ticket = await askTicket(daemon, session, {read: options.follow !== true});
    const filter = createOutputFilter();
    const decoder = new TextDecoder();
    const show = (offset: number, bytes: Uint8Array): void => {
      if (options.json === true)
        cli.out(`${JSON.stringify({offset, text: decoder.decode(bytes, {stream: true})})}\n`);
      else cli.write(options.raw === true ? bytes : filter.write(bytes));
    };

    let end = 0;
    for (const {offset, bytes} of readLog(ticket.directory)) {
      if (offset > end) cli.err(`orchestra: ${offset - end} bytes in the middle were dropped\n`);
      show(offset, bytes);
      end = offset + bytes.length;
    }

    if (options.follow !== true || !ticket.isLive) return 0;
    const followed = await followSession(session, ticket, {output: show});
    await followed.attach(end);
    await followed.ended;
    followed.close();
    return 0;
  });
}
