import {errorText} from '../../shared/index.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import type {DaemonClock, LaunchContext} from '../daemon-context.ts';
import {pauseFor} from '../engine/pacing.ts';
import {redact} from '../../secrets/index.ts';
import {
  type CheckResult,
  type Effect,
  type Observation,
  type RunId,
  runIdIn,
  selectRun,
} from '../../domain/index.ts';
import {sweepHalfShared, sweepUnfinished} from '../../git/index.ts';
import {readBaseline, recallBaseline} from './baseline.ts';
import {acceptEffect} from './accept.ts';
import {restoreWorktreeEffect, undoAcceptEffect} from './undo.ts';
import {capture, judge} from './capture.ts';
import {deliverMessage} from './deliver-message.ts';
import {findRulesChange, inspect} from './run-base.ts';
import {commit, merge, publish, renew, restore} from './integrate.ts';
import {makeWorktree, prepareAhead, removeWorktreeEffect, sweepPrepared} from './worktrees.ts';
import {findUnreportedLeftovers} from './leftovers.ts';
import {readCheck} from './read-check.ts';
import {readOutcome} from './read-outcome.ts';
import {readPlan} from './read-plan.ts';
import {runSession} from './run-session.ts';
import {stopSession} from './stop-session.ts';
import {typeInput} from './type-input.ts';
import {askNextPrompt} from './ask-prompt.ts';
import {typePrompt} from './type-prompt.ts';
import {watchService} from './watch-service.ts';
import {writeSummary} from './write-summary.ts';

/** The longest delay of a Node timer. */
const maxTimerMs = 2 ** 31 - 1;

export function wait({now}: DaemonClock): EffectHandler {
  return async (effect, report, signal) => {
    if (effect.do !== 'wait') return;
    for (let left = effect.until - now(); left > 0; left = effect.until - now()) {
      await pauseFor(Math.min(left, maxTimerMs), signal);
      if (signal.aborted) return;
    }

    await report({type: 'time-passed'});
  };
}

/** Runs every effect, after the checks that apply to all of them. */
export function createEffectHandler(context: LaunchContext): EffectHandler {
  const table: Readonly<Record<Effect['do'], EffectHandler>> = {
    survey: inspect(context),
    'make-worktree': makeWorktree(context),
    'prepare-worktrees': prepareAhead(context),
    'renew-worktree': renew(context),
    'remove-worktree': removeWorktreeEffect(context),
    'run-session': runSession(context),
    'stop-session': stopSession(context),
    'type-input': typeInput(context),
    'type-prompt': typePrompt(context),
    'ask-prompt': askNextPrompt(context),
    'deliver-message': deliverMessage(context),
    'read-plan': readPlan(context),
    'read-outcome': readOutcome(context),
    capture: capture(context),
    judge: judge(context),
    'read-check': readCheck(context),
    'recall-baseline': recallBaseline(context),
    'read-baseline': readBaseline(context),
    commit: commit(context),
    'build-merge': merge(context),
    'publish-merge': publish(context),
    'restore-branch': restore(context),
    'bring-home': acceptEffect(context),
    'undo-accept': undoAcceptEffect(context),
    'restore-worktree': restoreWorktreeEffect(context),
    'write-summary': writeSummary(context),
    'watch-service': watchService(context),
    wait: wait(context),
  };
  const began = context.now();
  let isSwept = false;
  return async (effect, reportRaw, signal) => {
    // Once, before the first call of git: cleans up what an earlier daemon was doing when it was
    // killed.
    if (usingGit.has(effect.do) && !isSwept) {
      isSwept = true;
      sweepUnfinished(context.workspace(), began);
      await sweepHalfShared(context.workspace(), began);
      await sweepPrepared(context);
    }

    const secrets = context.secrets();
    const report: Parameters<EffectHandler>[1] = (saw, isNamed) =>
      reportRaw(redactObservation(saw, secrets), isNamed);
    const run = getGuardedRun(effect);
    const tampered = run === undefined ? [] : await context.guards.check(run);
    if (run !== undefined && tampered.length > 0) {
      // A person who resumes the run has seen the change, so the current files become the new
      // reference.
      context.guards.forget(run);
      await report({type: 'tampering-found', run, paths: tampered}, false);
      return;
    }

    // An approval binds the rules that the person saw; changed rules void it before anything else
    // is done.
    const rulesChange =
      run !== undefined && selectRun(context.state(), run)?.stage.at === 'working'
        ? findRulesChange(context, run)
        : undefined;
    if (rulesChange !== undefined) {
      await report(rulesChange, false);
      return;
    }

    const left = await findUnreportedLeftovers(context, effect);
    if (left.length > 0) {
      await report({type: 'leftovers-found', processes: left});
      return;
    }

    await table[effect.do](effect, report, signal).catch((error: unknown) => {
      throw new Error(redact(errorText(error), secrets), {
        cause: error,
      });
    });
  };
}

/** The run whose shared git files are checked for tampering before the effect calls git. */
function getGuardedRun(effect: Effect): RunId | undefined {
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
  'undo-accept',
  'restore-worktree',
]);

/**
 * Redacts the texts of agents and programs: the journal keeps them for ever, and they go into
 * prompts.
 */
export function redactObservation(saw: Observation, secrets: readonly string[]): Observation {
  switch (saw.type) {
    case 'agent-finished':
      return {
        ...saw,
        words: redact(saw.words, secrets),
        ...(saw.denied === undefined
          ? {}
          : {denied: saw.denied.map((text) => redact(text, secrets))}),
      };
    case 'agent-gave-up':
    case 'agent-failed':
    case 'attempt-paused':
    case 'conversation-lost':
    case 'agent-unavailable':
    case 'planner-failed':
    case 'effect-failed':
      return {...saw, words: redact(saw.words, secrets)};
    case 'attempt-interrupted':
    case 'planning-interrupted':
      return saw.words === undefined ? saw : {...saw, words: redact(saw.words, secrets)};
    case 'plan-invalid':
      return {
        ...saw,
        problems: saw.problems.map((text) => redact(text, secrets)),
        ...(saw.words === undefined ? {} : {words: redact(saw.words, secrets)}),
      };
    case 'check-finished':
    case 'baseline-checked':
      return {...saw, result: redactResult(saw.result, secrets)};
    case 'baseline-recalled':
      return {...saw, results: saw.results.map((result) => redactResult(result, secrets))};
    case 'merge-conflicted':
      return saw.hunks === undefined ? saw : {...saw, hunks: redact(saw.hunks, secrets)};
    case 'leftovers-found':
      return {
        ...saw,
        processes: saw.processes.map((one) => ({...one, command: redact(one.command, secrets)})),
      };
    case 'accept-refused':
    case 'undo-refused':
      return {...saw, why: redact(saw.why, secrets)};
    default:
      return saw;
  }
}

function redactResult(result: CheckResult, secrets: readonly string[]): CheckResult {
  const {firstFailure, source, failures} = result;
  return {
    ...result,
    ...(firstFailure === undefined ? {} : {firstFailure: redact(firstFailure, secrets)}),
    ...(source === undefined ? {} : {source: redact(source, secrets)}),
    ...(failures === undefined ? {} : {failures: failures.map((text) => redact(text, secrets))}),
  };
}
