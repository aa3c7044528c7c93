import type {Effect} from '../../../../source/domain/index.ts';

const whole = ['before-intent', 'after-intent', 'before', 'before-report', 'after-report'] as const;
/** They go on for as long as they are wanted, and have no intent of their own. */
const lasting = ['before', 'before-report', 'after-report'] as const;

/** Every point at which a daemon can be ended, by effect. The one that only makes ready never reports. */
export const points: Readonly<Record<Effect['do'], readonly string[]>> = {
  survey: whole,
  'make-worktree': whole,
  'remove-worktree': whole,
  'renew-worktree': whole,
  'read-plan': whole,
  'read-outcome': whole,
  capture: whole,
  judge: whole,
  'read-check': whole,
  'recall-baseline': whole,
  'read-baseline': whole,
  commit: whole,
  'build-merge': whole,
  'publish-merge': whole,
  'restore-branch': whole,
  'bring-home': whole,
  'write-summary': whole,
  'run-session': lasting,
  'stop-session': lasting,
  'type-input': lasting,
  'type-prompt': lasting,
  'watch-service': lasting,
  wait: lasting,
  'prepare-worktrees': ['before'],
};

export const allPoints: readonly string[] = Object.entries(points).flatMap(([kind, names]) =>
  names.map((name) => `${kind}.${name}`),
);

/** Those that a run of agents without a screen meets. Whoever is killed while it types into an agent's own screen leaves a doubt, which only a person clears; nobody moves the run's branch in it. */
export const pointsOfRun: readonly string[] = allPoints.filter(
  (point) => !point.startsWith('type-prompt.') && !point.startsWith('restore-branch.'),
);

/** Between these a crash is counted against the effect: at the third its run is set aside. */
export function isCounted(point: string): boolean {
  const [kind = '', name = ''] = point.split('.');
  return (
    (points as Readonly<Record<string, readonly string[]>>)[kind] === whole &&
    (name === 'after-intent' || name === 'before' || name === 'before-report')
  );
}
