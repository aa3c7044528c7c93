import type {DaemonConnection} from '../client/index.ts';
import type {SessionId} from '../domain/index.ts';

/** The kernel is asked now: what the daemon saw last may be older than the prompt, and whatever it is sent is journaled. */
export async function asksForSecret(
  daemon: DaemonConnection,
  session: SessionId,
): Promise<boolean> {
  const {input} = (await daemon.ask({about: 'explain', session})) as {
    readonly input?: {readonly verdict: string; readonly secret: boolean};
  };
  return input?.verdict === 'blocked' && input.secret;
}
