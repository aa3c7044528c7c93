import {sanitizeText} from '../../shared/index.ts';
import {evaluateChange, type RequiredResult, selectRequirements} from '../../rules/index.ts';
import {parseFirstFailure} from '../../failures/index.ts';
import {redactValues} from '../../secrets/index.ts';
import {captureChange, getViewDirectory, inspectChange, saveViewCommits} from '../../git/index.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import {changedAround, forgetOutside} from '../launch/outside.ts';
import {runConfined} from '../launch/run-confined.ts';
import type {LaunchContext, RepositoryAccess, StateReader} from '../daemon-context.ts';
import {readSetupFingerprint, selectTaskPlace, type TaskPlace} from './task-place.ts';

/** Captures the task's change as a tree, including the agent's own commits. */
export function capture(context: StateReader & Pick<RepositoryAccess, 'workspace'>): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'capture') return;
    const {task, attempt} = effect;
    const {worktree} = selectTaskPlace(context, task);
    const workspace = context.workspace();
    // Saves the agent's own commits from its private git files, also those that it has undone.
    if (worktree.branch !== null)
      await saveViewCommits(workspace, {
        directory: getViewDirectory(workspace, task),
        branch: worktree.branch,
      });
    const {change} = await captureChange(workspace, {
      directory: worktree.path,
      base: worktree.commit,
      save: `${task}.a${attempt}`,
    });
    await report({
      type: 'change-captured',
      task,
      attempt,
      change: {...change, ...(await readSetupFingerprint(context, change.tree))},
    });
  };
}

/** Judges the captured tree by scope and rules, and checks files outside of the worktree. */
export function judge(context: LaunchContext): EffectHandler {
  return async (effect, report, signal) => {
    if (effect.do !== 'judge') return;
    const {task, attempt, tree} = effect;
    const place = selectTaskPlace(context, task);
    const {stage} = place.run;
    if (stage.at !== 'working') return;
    const around = await changedAround(context, task, attempt);
    if (around.length > 0) {
      await report({type: 'effect-failed', words: formatOutsideChange(around, task)});
      // A person who resumes the task has seen it.
      forgetOutside(context, task, attempt);
      return;
    }

    // Git ignores the files of nested repositories, so they would be lost silently.
    const {nested} = await captureChange(context.workspace(), {
      directory: place.worktree.path,
      base: place.worktree.commit,
      save: `${task}.a${attempt}`,
    });
    const inspected = await inspectChange(context.workspace(), {
      directory: place.worktree.path,
      base: place.worktree.commit,
      tree,
    });
    const {rules} = stage.ground;
    const judgement = evaluateChange({
      ...inspected,
      rules,
      planned: place.task.planned.files,
      required: await runRequiredCommands(context, place, signal),
      secrets: context.secrets(),
    });
    const rejected = [
      ...(judgement.refused ?? []),
      ...nested.map((where) => ({
        path: where,
        why: 'a nested git repository, whose files are not part of the change',
      })),
    ];
    const outside = [...new Set([...judgement.outside, ...nested])];
    await report({
      type: 'change-judged',
      task,
      attempt,
      judgement: {...judgement, outside, ...(rejected.length === 0 ? {} : {refused: rejected})},
    });
    forgetOutside(context, task, attempt);
  };
}

const maxNamed = 20;

/** Not a verdict on the task: the change may be the person's own. */
function formatOutsideChange(paths: readonly string[], task: string): string {
  const named = [
    ...paths.slice(0, maxNamed),
    ...(paths.length > maxNamed ? [`and ${paths.length - maxNamed} more`] : []),
  ].join(', ');
  return sanitizeText(
    `changed outside its worktree while ${task} worked: ${named}. If that was you, ` +
      `resume: orchestra resume ${task}. If not, look at it first; nothing of ${task} was ` +
      'merged',
  );
}

const requirementMs = 5 * 60 * 1000;

/** Runs the commands of `require:` rules in the worktree, one after the other. */
async function runRequiredCommands(
  context: LaunchContext,
  {run, worktree}: TaskPlace,
  signal: AbortSignal,
): Promise<readonly RequiredResult[]> {
  const {stage} = run;
  if (stage.at !== 'working') return [];
  const results: RequiredResult[] = [];
  for (const {rule, command} of selectRequirements(stage.ground.rules)) {
    signal.throwIfAborted();
    const outcome = await runConfined(context, {
      run,
      worktree,
      command,
      timeoutMs: requirementMs,
      signal,
    });
    results.push({
      rule,
      exit: outcome.at === 'exited' ? outcome.code : null,
      text: parseFirstFailure(redactValues(outcome.output, context.secrets()), {
        root: worktree.path,
      }).text,
    });
  }

  return results;
}
