import {countTokens} from '../../source/shared/index.ts';
import {parseFirstFailure} from '../../source/failures/index.ts';
import {composeWorkerFollowUp, composeWorkerPrompt} from '../../source/prompts/index.ts';
import {parseRules} from '../../source/rules/index.ts';
import type {ScriptedTask} from './scripted-tasks.ts';

export type LoopCost = {
  readonly kind: string;
  /** Tokens of the whole log, and of what an agent gets of it. */
  readonly log: number;
  readonly firstFailure: number;
  /** Tokens in of all requests, for one validated change. */
  readonly bare: number;
  readonly ours: number;
};

/** The rules that both loops give. */
const rulesText =
  '# 1. Hard constraints\n- Preserve public API contracts.\n- Keep changes small.\n# 2. Validation\n1. Run the checks.\n';

/**
 * The same scripted work in two loops. Both fail once and are green after one repair; in both, each
 * attempt has three requests: the prompt, then the file that was read, then the edit that was made.
 * Each request carries everything before it. The bare loop appends the whole log of the check to
 * the conversation, ours the prompt of a worker that goes on. The agent's own instructions and
 * tools are the same in both and not counted.
 */
export function compareLoops(
  scripted: ScriptedTask,
  {log, root}: {readonly log: string; readonly root: string},
): LoopCost {
  const {kind, objective, task, check, reads} = scripted;
  const firstFailure = parseFirstFailure(log, {root}).text;
  const {value: rules} = parseRules(rulesText);
  const input = {
    rules,
    objective,
    task,
    invariants: [],
    checks: [check],
    changed: [],
    notes: [],
    facts: [],
    summaries: [],
    secrets: [],
    nonce: 'scripted-loop',
    now: 0,
  };
  const first = composeWorkerPrompt({...input, attempt: {number: 1, interruptions: 0}});
  const repair = composeWorkerFollowUp({
    ...input,
    attempt: {
      number: 2,
      interruptions: 0,
      repairs: {
        kind: 'check',
        name: check.name,
        code: `${check.name.toUpperCase()}_FAILURE`,
        on: 'change',
        firstFailure,
      },
    },
    givesRules: false,
    hasNewRules: false,
  });
  const bareFirst = `${rulesText}\n${objective}\n\n${task.title}. ${task.brief}\n\nCheck: ${check.command}\n`;
  return {
    kind,
    log: countTokens(log),
    firstFailure: countTokens(firstFailure),
    bare: tokensIn([bareFirst, `The check failed:\n\n${log}`], reads),
    ours: tokensIn([first.text, repair.text], reads),
  };
}

/** Three for each of two attempts. */
export const requestsOfLoop = 6;

/** Three requests for each prompt, each with everything before it. */
export function tokensIn(prompts: readonly string[], reads: string): number {
  const work = countTokens(reads);
  let [context, total] = [0, 0];
  for (const prompt of prompts) {
    context += countTokens(prompt);
    total += context;
    context += work;
    total += context;
    context += work;
    total += context;
  }

  return total;
}
