import type {Session} from '../../domain/index.ts';
import type {Workshop} from '../workshop.ts';
import type {Launch} from './task-launch.ts';

/** What a person runs themselves: as they said it, where they said it. Nothing for what works for a run. */
export function ownLaunch({state, root, surroundingsOf}: Workshop, {id, purpose}: Session): Launch | undefined {
  const {env} = surroundingsOf(id);
  if (purpose.for === 'person') return {argv: purpose.command, cwd: purpose.directory, env};
  if (purpose.for !== 'service') return undefined;
  const service = state().services.find(({spec}) => spec.name === purpose.service);
  if (service === undefined) throw new Error(`there is no service ${purpose.service}`);
  // What runs in the worktree of a task may be what an agent wrote: it is confined like a check.
  if (service.spec.owner !== undefined) return undefined;
  return {argv: ['/bin/sh', '-c', service.spec.command], cwd: root, env};
}
