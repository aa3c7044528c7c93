import {sanitizeText} from '../../base/index.ts';
import {
  judgeChange,
  readFirstFailure,
  requirementsOf,
  type RequiredResult,
} from '../../documents/index.ts';
import {
  captureChange,
  inspectChange,
  keepViewCommits,
  viewDirectoryOf,
} from '../../workspace/index.ts';
import type {Perform} from '../conductor.ts';
import {changedAround, forgetOutside} from '../launch/outside.ts';
import {runConfined} from '../launch/run-confined.ts';
import type {Workshop} from '../workshop.ts';
import {setupReads} from './setup-reads.ts';
import {placeOfTask, type TaskPlace} from './task-of-effect.ts';

/** What the task changed, as a tree: the agent's own commits count as well. */
export function capture(workshop: Workshop): Perform {
  return async (effect, report) => {
    if (effect.do !== 'capture') return;
    const {task, attempt} = effect;
    const {worktree} = placeOfTask(workshop, task);
    const workspace = workshop.workspace();
    // The agent's own commits are in files of its own; what it committed and took back again is not lost by that.
    if (worktree.branch !== null)
      await keepViewCommits(workspace, {
        directory: viewDirectoryOf(workspace, task),
        branch: worktree.branch,
      });
    const {change} = await captureChange(workspace, {
      directory: worktree.path,
      base: worktree.commit,
      keep: `${task}.a${attempt}`,
    });
    await report({
      type: 'change-captured',
      task,
      attempt,
      change: {...change, ...(await setupReads(workshop, change.tree))},
    });
  };
}

/** Scope and rules, on the captured tree and on what lies outside of the worktree. */
export function judge(workshop: Workshop): Perform {
  return async (effect, report, signal) => {
    if (effect.do !== 'judge') return;
    const {task, attempt, tree} = effect;
    const place = placeOfTask(workshop, task);
    const {stage} = place.run;
    if (stage.at !== 'working') return;
    const around = await changedAround(workshop, task, attempt);
    if (around.length > 0) {
      await report({type: 'effect-failed', words: wordsAbout(around, task)});
      // Whoever resumes the task has seen it.
      forgetOutside(workshop, task, attempt);
      return;
    }

    // Repositories that were made inside: git keeps none of their files, so they would be lost without a word.
    const {nested} = await captureChange(workshop.workspace(), {
      directory: place.worktree.path,
      base: place.worktree.commit,
      keep: `${task}.a${attempt}`,
    });
    const inspected = await inspectChange(workshop.workspace(), {
      directory: place.worktree.path,
      base: place.worktree.commit,
      tree,
    });
    const {rules} = stage.ground;
    const judgement = judgeChange({
      ...inspected,
      rules,
      planned: place.task.planned.files,
      required: await requiredOf(workshop, place, signal),
      secrets: workshop.secrets(),
    });
    const refused = [
      ...(judgement.refused ?? []),
      ...nested.map((where) => ({
        path: where,
        why: 'a git repository of its own, whose files would not be part of the change',
      })),
    ];
    const outside = [...new Set([...judgement.outside, ...nested])];
    await report({
      type: 'change-judged',
      task,
      attempt,
      judgement: {...judgement, outside, ...(refused.length === 0 ? {} : {refused})},
    });
    forgetOutside(workshop, task, attempt);
  };
}

const mostNamed = 20;

/** Not the task's verdict: it may have been the person, and only the person knows. */
function wordsAbout(paths: readonly string[], task: string): string {
  const named = [
    ...paths.slice(0, mostNamed),
    ...(paths.length > mostNamed ? [`and ${paths.length - mostNamed} more`] : []),
  ].join(', ');
  return sanitizeText(
    `changed outside of its worktree while ${task} was at work: ${named}. If that was you, go on: orchestra resume ${task}. If not, look at it first; nothing of ${task} was merged`,
  );
}

const requirementMs = 5 * 60 * 1000;

/** Commands of `require:` rules, one after the other, in the worktree. */
async function requiredOf(
  workshop: Workshop,
  {run, worktree}: TaskPlace,
  signal: AbortSignal,
): Promise<readonly RequiredResult[]> {
  const {stage} = run;
  if (stage.at !== 'working') return [];
  const results: RequiredResult[] = [];
  for (const {rule, command} of requirementsOf(stage.ground.rules)) {
    signal.throwIfAborted();
    const outcome = await runConfined(workshop, {
      run,
      worktree,
      command,
      timeoutMs: requirementMs,
      signal,
    });
    results.push({
      rule,
      exit: outcome.at === 'exited' ? outcome.code : null,
      words: readFirstFailure(`${outcome.stdout}\n${outcome.stderr}`).text,
    });
  }

  return results;
}
