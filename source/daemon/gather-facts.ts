import {isListed, liveSessionsOf, needsOf} from '../domain/index.ts';
import {portsOf, readDisk, type Kernel} from '../machine/index.ts';
import {rootsOf} from './session-report.ts';
import type {Workshop} from './workshop.ts';

/** One thing that is so, where that was read, and when. What cannot be told is `unknown`, never a guess. */
export type LiveFact =
  | {
      readonly name: string;
      readonly value: unknown;
      readonly source: 'kernel' | 'git' | 'journal';
      readonly at: number;
    }
  | {readonly name: string; readonly unknown: string; readonly at: number};

/** What an agent or a person is told instead of remembering. Read at the moment of asking. */
export async function gatherFacts(
  workshop: Workshop,
  kernel: Kernel,
): Promise<readonly LiveFact[]> {
  const {state, root, now} = workshop;
  const known = state();
  const at = now();
  const [ports, head, status] = await Promise.all([
    portsOf(rootsOf(workshop, liveSessionsOf(known)), kernel),
    git(workshop, ['rev-parse', '--verify', '--quiet', 'HEAD']),
    git(workshop, [
      'status',
      '--porcelain=v1',
      '--untracked-files=normal',
      '--ignore-submodules=dirty',
    ]),
  ]);
  const disk = readDisk(root);
  return [
    'value' in ports
      ? {
          name: 'ports',
          at: ports.at,
          source: 'kernel',
          value: ports.value.flatMap(({session, owner, where}) =>
            'port' in where ? [{session, pid: owner.identity.pid, ...where}] : [],
          ),
        }
      : {name: 'ports', at: ports.at, unknown: ports.unknown},
    {
      name: 'services',
      at,
      source: 'journal',
      value: known.services
        .filter(isListed)
        .map(({spec, desire, stage}) => ({
          name: spec.name,
          desire,
          stage,
          ...(spec.port === undefined ? {} : {port: spec.port}),
          ...(spec.owner === undefined ? {} : {owner: spec.owner}),
        })),
    },
    {
      name: 'sessions',
      at,
      source: 'journal',
      value: liveSessionsOf(known).map(({id, purpose, life, waiting}) => ({
        session: id,
        for: purpose.for,
        life: life.at,
        ...(waiting === undefined ? {} : {waiting}),
      })),
    },
    {name: 'needs', at, source: 'journal', value: needsOf(known)},
    head === undefined
      ? {name: 'head', at, unknown: 'git did not say'}
      : {name: 'head', at, source: 'git', value: head.trim()},
    status === undefined
      ? {name: 'changed', at, unknown: 'git did not say'}
      : {
          name: 'changed',
          at,
          source: 'git',
          value: status.split('\n').filter((line) => line !== '').length,
        },
    disk === undefined
      ? {name: 'disk', at, unknown: 'the kernel did not say'}
      : {name: 'disk', at, source: 'kernel', value: disk},
  ];
}

/** Nothing when git has no answer: there is no commit yet, or it is no repository. */
function git({workspace, root}: Workshop, argv: readonly string[]): Promise<string | undefined> {
  return workspace()
    .git(root, argv, {isRead: true})
    .catch(() => undefined);
}
