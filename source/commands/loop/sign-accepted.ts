import {readlinkSync} from 'node:fs';
import type {AcceptWay, Run} from '../../domain/index.ts';
import {
  landingTextOf,
  planLanding,
  readBranch,
  signingOf,
  signLanding,
} from '../../workspace/index.ts';
import {Impossible, type Here} from '../here.ts';
import type {Surroundings} from '../surroundings.ts';
import {openOwnWorkspace} from './open-own-workspace.ts';

/**
 * Makes the commits that would come into the person's branch, with their signature, and gives the last. Here and not in the daemon: a key may
 * ask for its passphrase, and that is asked in the person's own terminal. Nothing names the commits until the daemon has compared them with what
 * it would make itself. Undefined when there is nothing to make.
 */
export async function signAccepted(
  run: Run,
  {commit, way, into}: {readonly commit: string; readonly way: AcceptWay; readonly into?: string},
  here: Here,
  surroundings: Surroundings,
): Promise<string | undefined> {
  const {stage} = run;
  if (stage.at !== 'working') return undefined;
  const branch = into ?? stage.ground.branch;
  if (branch === null) return undefined;
  const {workspace} = openOwnWorkspace(here, {env: withTerminal(surroundings.env)});
  const from =
    (await readBranch(workspace, branch)) ?? (into === undefined ? undefined : stage.ground.base);
  if (from === undefined) return undefined;
  const signing = await signingOf(workspace);
  if ('refused' in signing) throw new Impossible(signing.refused);
  const landing = await planLanding(workspace, {
    from,
    branch,
    commit,
    way,
    at: stage.approval.at,
    text: landingTextOf(run),
    isSigned: true,
  });
  // The daemon refuses it in the same words.
  if ('refused' in landing || landing.steps.length === 0) return undefined;
  const made = await signLanding(workspace, landing, signing);
  if ('refused' in made) throw new Impossible(made.refused);
  return made.signed;
}

/** gpg asks where this says; a shell sets it only if the person told it to. */
function withTerminal(env: Surroundings['env']): Surroundings['env'] {
  if (env['GPG_TTY'] !== undefined) return env;
  try {
    const terminal = readlinkSync('/proc/self/fd/0');
    return /^\/dev\/(?:pts\/|tty)/.test(terminal) ? {...env, GPG_TTY: terminal} : env;
  } catch {
    return env;
  }
}
