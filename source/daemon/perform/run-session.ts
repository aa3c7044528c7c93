import {existsSync} from 'node:fs';
import path from 'node:path';
import {sessionOf, type Purpose, type SessionId} from '../../domain/index.ts';
import {connectKeeper, type KeeperLink} from '../../keeper/index.ts';
import {sessionFiles, type KeeperReply} from '../../protocol/index.ts';
import type {Perform} from '../conductor.ts';
import type {Workshop} from '../workshop.ts';
import {startKeeper} from '../start-keeper.ts';

/** The output of a session that is kept: its beginning, and its end. */
const log = {head: 4 * 1024 * 1024, tail: 60 * 1024 * 1024};

/**
 * Start in two phases: the keeper is there, the journal knows it, only then the program runs. What is there already is
 * taken as it is, so that this can begin again after a crash at any point.
 */
export function runSession(workshop: Workshop): Perform {
  return async (effect, report, signal) => {
    if (effect.do !== 'run-session') return;
    const {session: id} = effect;
    const lifeOf = (): string | undefined => sessionOf(workshop.state(), id)?.life.at;
    if (lifeOf() === 'asked') {
      await ensureKeeper(workshop, id, signal);
      await report({type: 'session-created', session: id}, false);
    }

    const exit = Promise.withResolvers<KeeperReply>();
    const link = await meet(workshop, id, (reply) => {
      if (reply.type === 'exit') exit.resolve(reply);
    });
    const leave = (): void => { link?.close(); };
    signal.addEventListener('abort', leave);
    try {
      if (link !== undefined && lifeOf() === 'created') {
        await link.ask({type: 'go'});
        await report({type: 'session-running', session: id}, false);
      }

      if (link !== undefined && link.welcome.exit === undefined) await Promise.race([exit.promise, link.ended]);
      if (signal.aborted) return;
      await reportEnd(workshop, id, report);
      // Its end is in the journal: nobody needs the keeper any more.
      await link?.ask({type: 'release'}).catch(() => undefined);
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  };
}

/** Says how the session ended: by its record, or, when the keeper died without one, that it is lost. */
export async function reportEnd({store}: Workshop, session: SessionId, report: Parameters<Perform>[1]): Promise<void> {
  const exit = store.exitOf(session);
  if (exit !== undefined) await report({type: 'session-exited', session, code: exit.code, signal: exit.signal}, false);
  else await report({type: 'session-lost', session, why: 'its keeper is gone and left no exit status'}, false);
}

/** A conversation with the session's keeper; nothing if the keeper is gone. */
export async function meet({store}: Workshop, session: SessionId, news: (reply: KeeperReply) => void = () => undefined): Promise<KeeperLink | undefined> {
  const launch = store.launchOf(session);
  if (launch === undefined) return undefined;
  try {
    return await connectKeeper(launch, {news});
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
    throw error;
  }
}

async function ensureKeeper(workshop: Workshop, id: SessionId, signal: AbortSignal): Promise<void> {
  const {store, keeperProgram, randomToken} = workshop;
  const session = sessionOf(workshop.state(), id);
  if (session === undefined) return;
  const present = await meet(workshop, id);
  present?.close();
  if (present !== undefined) return;
  const {argv, cwd} = commandOf(workshop, session.purpose);
  const {env, size} = workshop.surroundingsOf(id);
  const directory = store.prepare(id, {argv, cwd, env, ...size, token: randomToken(), log});
  await startKeeper(keeperProgram, directory, () => existsSync(path.join(directory, sessionFiles.meta)), signal);
}

function commandOf({state, root}: Workshop, purpose: Purpose): {readonly argv: readonly string[]; readonly cwd: string} {
  if (purpose.for === 'person') return {argv: purpose.command, cwd: purpose.directory};
  if (purpose.for !== 'service') throw new Error(`this version cannot run a session for: ${purpose.for}`);
  const service = state().services.find(({spec}) => spec.name === purpose.service);
  if (service === undefined) throw new Error(`there is no service ${purpose.service}`);
  return {argv: ['/bin/sh', '-c', service.spec.command], cwd: root};
}
