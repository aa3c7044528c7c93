import {redact} from '../../documents/index.ts';
import type {CheckResult, Observation} from '../../domain/index.ts';

/** The same observation, fit for the journal: what agents and programs said stands there for ever, and goes on into prompts. */
export function withoutSecrets(saw: Observation, secrets: readonly string[]): Observation {
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
      return {...saw, result: resultWithoutSecrets(saw.result, secrets)};
    case 'baseline-recalled':
      return {...saw, results: saw.results.map((result) => resultWithoutSecrets(result, secrets))};
    case 'merge-conflicted':
      return saw.hunks === undefined ? saw : {...saw, hunks: redact(saw.hunks, secrets)};
    case 'leftovers-found':
      return {
        ...saw,
        processes: saw.processes.map((one) => ({...one, command: redact(one.command, secrets)})),
      };
    case 'accept-refused':
      return {...saw, why: redact(saw.why, secrets)};
    default:
      return saw;
  }
}

/** What a check printed: its first failure, and the names of what failed. */
function resultWithoutSecrets(result: CheckResult, secrets: readonly string[]): CheckResult {
  const {firstFailure, failures} = result;
  return {
    ...result,
    ...(firstFailure === undefined ? {} : {firstFailure: redact(firstFailure, secrets)}),
    ...(failures === undefined ? {} : {failures: failures.map((text) => redact(text, secrets))}),
  };
}
