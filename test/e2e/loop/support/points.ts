import type {Effect} from '../../../../source/domain/index.ts';

const whole = ['before-intent', 'after-intent', 'before', 'before-report', 'after-report'] as const;
/** Effects that run for as long as they are wanted; they have no intent record. */
const lasting = ['before', 'before-report', 'after-report'] as const;

/** Every failpoint, by effect. `prepare-worktrees` never reports. */
export const points: Readonly<Record<Effect['do'], readonly string[]>> = {
  survey: whole,
  'make-worktree': whole,
  'remove-worktree': whole,
  'renew-worktree': whole,
  'ask-prompt': whole,
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
  'undo-accept': whole,
  'restore-worktree': whole,
  'write-summary': whole,
  'run-session': lasting,
  'stop-session': lasting,
  'type-input': lasting,
  'type-prompt': lasting,
  'deliver-message': lasting,
  'watch-service': lasting,
  wait: lasting,
  'prepare-worktrees': ['before'],
};

export const allPoints: readonly string[] = Object.entries(points).flatMap(([kind, names]) =>
  names.map((name) => `${kind}.${name}`),
);

/**
 * The points that a run of headless agents reaches. A kill while typing leaves an uncertain input,
 * which needs a person; nobody sends a message, moves the run's branch, and nobody undoes a decision.
 */
export const pointsOfRun: readonly string[] = allPoints.filter(
  (point) =>
    !/^(?:type-prompt|ask-prompt|deliver-message|restore-branch|undo-accept|restore-worktree)\./.test(
      point,
    ),
);

/** A crash between these points counts against the effect; at the third its run is parked. */
export function isCounted(point: string): boolean {
  const [kind = '', name = ''] = point.split('.');
  return (
    (points as Readonly<Record<string, readonly string[]>>)[kind] === whole &&
    (name === 'after-intent' || name === 'before' || name === 'before-report')
  );
}
