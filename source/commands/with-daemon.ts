import {sanitizeText} from '../base/index.ts';
import {
  connectDaemon,
  Lost,
  type DaemonAddress,
  type DaemonConnection,
  Refused,
} from '../client/index.ts';
import {findHere, type Here, Impossible, readToken} from './here.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {version} from './version.ts';

type Asker = Pick<DaemonAddress, 'code' | 'isTyped'>;

/** Runs a command that talks to the daemon of this repository, and starts one if there is none. A refusal is told and is exit 1, and so is a daemon that ends before it has answered. */
export async function withDaemon(
  surroundings: Surroundings,
  act: (daemon: DaemonConnection, here: Here) => Promise<ExitCode>,
): Promise<ExitCode> {
  const here = findHere(surroundings);
  const daemon =
    (await reach(here, undefined, askerOf(surroundings))) ??
    (await start(here, surroundings, {isAsked: false}));
  try {
    return await act(daemon, here);
  } catch (error) {
    if (error instanceof Lost || isAbsent(error)) return tellLost(surroundings);
    if (!(error instanceof Refused)) throw error;
    tellRefused(error, surroundings);
    return 1;
  } finally {
    daemon.close();
  }
}

/** What the daemon is told of whoever asks. */
export function askerOf({asked, isTerminal}: Pick<Surroundings, 'asked' | 'isTerminal'>): Asker {
  return {code: asked?.().code, isTyped: isTerminal};
}

/** A program that asked for JSON gets why it was refused as JSON, too, where the daemon says more than a sentence. */
export function tellRefused(
  {message, reason: {code, doubt}}: Refused,
  {out, err, asked}: Pick<Surroundings, 'out' | 'err' | 'asked'>,
): void {
  err(`orchestra: ${sanitizeText(message)}\n`);
  if (code !== undefined && asked?.().json === true)
    out(
      `${JSON.stringify({refused: {code, text: message, ...(doubt !== undefined && {doubt})}})}\n`,
    );
}

export function tellLost({err}: Pick<Surroundings, 'err'>): ExitCode {
  err(
    'orchestra: the daemon ended in the middle of it. Nothing that was written down is lost; the next command starts another: orchestra status\n',
  );
  return 1;
}

/** The daemon that runs, if one does. */
export async function reach(
  here: Here,
  facts?: Parameters<typeof connectDaemon>[1],
  asker: Asker = {},
): Promise<DaemonConnection | undefined> {
  try {
    return await connectDaemon(
      {socket: here.socket, token: () => readToken(here), build: version, ...asker},
      facts,
    );
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw new Impossible(error instanceof Error ? error.message : String(error));
  }
}

/** Starts one; one that crashes again and again only if a person asks for it. What that takes is loaded now: mostly one runs already. */
export async function start(
  here: Here,
  surroundings: Pick<Surroundings, 'env'>,
  {isAsked}: {readonly isAsked: boolean},
): Promise<DaemonConnection> {
  return (await import('./start-daemon.ts')).startDaemon(here, surroundings, {
    reach: () => reach(here),
    isAsked,
  });
}

/** Nobody listens: there is no daemon, or it is just ending. */
export function isAbsent(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ECONNREFUSED';
}
