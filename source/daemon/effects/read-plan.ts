import {parsePlanFromOutput, planHash} from '../../plan/index.ts';
import {redactTexts} from '../../reports/index.ts';
import {redactValues} from '../../secrets/index.ts';
import {type Plan, selectRun, selectSession, selectWorktree} from '../../domain/index.ts';
import {changedSince, hashTree} from '../../git/index.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import {readHandedPlan} from '../tools/reporting-tools.ts';
import type {
  DaemonDirectory,
  DaemonLog,
  KernelAccess,
  RepositoryAccess,
  SecretValues,
  SessionFiles,
  StateReader,
} from '../daemon-context.ts';
import {endLeftovers} from './leftovers.ts';
import {reportOutcome} from './read-outcome.ts';

/** Reads the result of a planner: a plan if its worktree is unchanged, else what is wrong. */
export function readPlan(
  context: StateReader &
    SessionFiles &
    RepositoryAccess &
    DaemonDirectory &
    SecretValues &
    KernelAccess &
    DaemonLog,
): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'read-plan') return;
    const {run: id, session} = effect;
    const run = selectRun(context.state(), id);
    const planner = selectSession(context.state(), session);
    const worktree = run === undefined ? undefined : selectWorktree(run, `${id}.plan`);
    if (run === undefined || planner?.purpose.for !== 'plan' || worktree === undefined)
      throw new Error(`${id} has no planner`);
    const {round} = planner.purpose;
    await endLeftovers(context, planner);
    const workspace = context.workspace();
    const tree = await hashTree(workspace, worktree.path);
    if (tree !== worktree.tree) {
      await report({
        type: 'planner-wrote',
        run: id,
        round,
        paths: await changedSince(workspace, worktree.path, worktree.tree),
      });
      return;
    }

    const {outcome, output} = await reportOutcome(context, planner, report);
    if (outcome.at === 'conversation-lost') {
      await report({type: 'conversation-lost', session, words: outcome.words});
      return;
    }

    if (outcome.at === 'unavailable') {
      await report({type: 'agent-unavailable', words: outcome.words});
      return;
    }

    if (outcome.at === 'interrupted') {
      await report({type: 'planning-interrupted', run: id, round, words: outcome.words});
      return;
    }

    if (outcome.at !== 'finished') {
      await report({type: 'planner-failed', run: id, round, words: outcome.words});
      return;
    }

    // Redacts known values only: a person approves this text, so it is not changed otherwise.
    const secrets = context.secrets();
    const propose = (found: Plan): Promise<unknown> => {
      const plan = redactTexts(found, (text) => redactValues(text, secrets));
      return report({type: 'plan-received', run: id, round, plan, hash: planHash(plan), tree});
    };

    // A plan that was submitted through the tool is already checked and takes precedence over
    // output.
    const submitted = readHandedPlan(context, session);
    if (submitted !== undefined) {
      await propose(submitted);
      return;
    }

    const {value, problems} = parsePlanFromOutput(output, {
      objective: run.request.objective,
      tools: (context.state().project.tools ?? []).map(({name}) => name),
    });
    if (value === undefined)
      await report({
        type: 'plan-invalid',
        run: id,
        round,
        problems: problems
          .filter(({level}) => level === 'error')
          .map(({line, text}) => `line ${line}: ${text}`),
        ...selectLastText(outcome.words),
      });
    else await propose(value);
  };
}

/** The end of the planner's message, which usually says why there is no plan. */
function selectLastText(message: string): {readonly words?: string} {
  const text = message.trim();
  return text === ''
    ? {}
    : {words: text.length <= maxCharacters ? text : `…${text.slice(-maxCharacters)}`};
}

const maxCharacters = 600;
