import {redact} from '../../documents/index.ts';
import {runIdIn, runOf, type Effect, type RunId} from '../../domain/index.ts';
import {sweepHalfShared, sweepUnfinished} from '../../workspace/index.ts';
import type {Perform} from '../conductor.ts';
import type {Workshop} from '../workshop.ts';
import {readBaseline, recallBaseline} from './baseline.ts';
import {goHome} from './bring-home.ts';
import {capture, judge} from './capture.ts';
import {rulesChanged} from './ground-changed.ts';
import {commit, merge, publish, renew, restore} from './integrate.ts';
import {makeWorktree, prepareAhead, sweepPrepared} from './make-worktree.ts';
import {nameLeftovers} from './name-leftovers.ts';
import {readCheck} from './read-check.ts';
import {readOutcome} from './read-outcome.ts';
import {readPlan} from './read-plan.ts';
import {removeWorktree} from './remove-worktree.ts';
import {runSession} from './run-session.ts';
import {stopSession} from './stop-session.ts';
import {survey} from './survey.ts';
import {typeInput} from './type-input.ts';
import {typePrompt} from './type-prompt.ts';
import {wait} from './wait.ts';
import {watchService} from './watch-service.ts';
import {withoutSecrets} from './without-secrets.ts';
import {writeSummary} from './write-summary.ts';

/** Who brings which effect about. */
export function performers(workshop: Workshop): Perform {
  const table: Readonly<Record<Effect['do'], Perform>> = {
    survey: survey(workshop),
    'make-worktree': makeWorktree(workshop),
    'prepare-worktrees': prepareAhead(workshop),
    'renew-worktree': renew(workshop),
    'remove-worktree': removeWorktree(workshop),
    'run-session': runSession(workshop),
    'stop-session': stopSession(workshop),
    'type-input': typeInput(workshop),
    'type-prompt': typePrompt(workshop),
    'read-plan': readPlan(workshop),
    'read-outcome': readOutcome(workshop),
    capture: capture(workshop),
    judge: judge(workshop),
    'read-check': readCheck(workshop),
    'recall-baseline': recallBaseline(workshop),
    'read-baseline': readBaseline(workshop),
    commit: commit(workshop),
    'build-merge': merge(workshop),
    'publish-merge': publish(workshop),
    'restore-branch': restore(workshop),
    'bring-home': goHome(workshop),
    'write-summary': writeSummary(workshop),
    'watch-service': watchService(workshop),
    wait: wait(workshop),
  };
  const began = workshop.now();
  let isSwept = false;
  return async (effect, tell, signal) => {
    // Once in a life, before git is called for the first time: what the daemon before us had under its hands when it was killed.
    if (usingGit.has(effect.do) && !isSwept) {
      isSwept = true;
      sweepUnfinished(workshop.workspace(), began);
      await sweepHalfShared(workshop.workspace(), began);
      await sweepPrepared(workshop);
    }

    const secrets = workshop.secrets();
    const report: Parameters<Perform>[1] = (saw, isNamed) =>
      tell(withoutSecrets(saw, secrets), isNamed);
    const run = guardedRunOf(effect);
    const tampered = run === undefined ? [] : await workshop.guards.check(run);
    if (run !== undefined && tampered.length > 0) {
      // Whoever resumes the run has seen it: what is there then is what counts.
      workshop.guards.forget(run);
      await report({type: 'tampering-found', run, paths: tampered}, false);
      return;
    }

    // An approval is of the rules that the person saw: others void it before anything more is done under it.
    const others =
      run !== undefined && runOf(workshop.state(), run)?.stage.at === 'working'
        ? rulesChanged(workshop, run)
        : undefined;
    if (others !== undefined) {
      await report(others, false);
      return;
    }

    const left = await nameLeftovers(workshop, effect);
    if (left.length > 0) {
      await report({type: 'leftovers-found', processes: left});
      return;
    }

    await table[effect.do](effect, report, signal).catch((error: unknown) => {
      throw new Error(redact(error instanceof Error ? error.message : String(error), secrets), {
        cause: error,
      });
    });
  };
}

/** Those that call git for a run look first whether somebody has laid a trap there. */
function guardedRunOf(effect: Effect): RunId | undefined {
  const {run, task} = effect;
  const owner = run ?? (task === undefined ? undefined : runIdIn(task));
  return owner !== undefined && usingGit.has(effect.do) ? owner : undefined;
}

const usingGit: ReadonlySet<Effect['do']> = new Set<Effect['do']>([
  'survey',
  'make-worktree',
  'prepare-worktrees',
  'renew-worktree',
  'remove-worktree',
  'read-plan',
  'read-outcome',
  'capture',
  'judge',
  'read-check',
  'recall-baseline',
  'read-baseline',
  'commit',
  'build-merge',
  'publish-merge',
  'restore-branch',
  'bring-home',
]);
