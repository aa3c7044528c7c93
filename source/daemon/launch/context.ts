import {
  recallWithin,
  type PromptFact,
  type RecalledSummary,
  type Skill,
} from '../../documents/index.ts';
import type {PlannedTask, Run, Worktree} from '../../domain/index.ts';
import {gatherFacts, type LiveFact} from '../gather-facts.ts';
import {checkoutOf} from '../perform/task-of-effect.ts';
import type {Workshop} from '../workshop.ts';
import {readKnowledge, readSkills} from './knowledge.ts';

/** What of an agent's prompt is read at this moment. */
export type Context = {
  readonly facts: readonly PromptFact[];
  readonly summaries: readonly RecalledSummary[];
  readonly skill?: Skill;
  readonly skills: readonly Skill[];
  readonly secrets: readonly string[];
  readonly nonce: string;
  readonly now: number;
};

/** So many tokens of the prompt are for what earlier tasks found out. */
const recallTokens = 1500;

export async function contextOf(
  workshop: Workshop,
  run: Run,
  worktree: Worktree,
  task?: PlannedTask,
): Promise<Context> {
  const {now} = workshop;
  const checkout = checkoutOf(workshop, run);
  const knowledge = readKnowledge(checkout);
  const {skills} = readSkills(checkout);
  const recalled = [
    ...(task === undefined ? [] : knowledge.byFiles(task.files)),
    ...knowledge.search(`${run.request.objective} ${task?.title ?? ''}`),
  ];
  const skill = skills.find(({name}) => name === (task?.skill ?? run.request.skill));
  const facts = await contextFactsOf(workshop, run, worktree, task);
  return {
    facts,
    summaries: recallWithin(recalled, recallTokens).pieces,
    ...(skill === undefined ? {} : {skill}),
    skills,
    secrets: workshop.secrets(),
    nonce: workshop
      .randomToken()
      .replaceAll(/[^\w-]/g, '')
      .slice(0, 24),
    now: now(),
  };
}

/** What is so around one worktree, read now. */
export async function contextFactsOf(
  workshop: Workshop,
  run: Run,
  worktree: Worktree,
  task?: PlannedTask,
): Promise<readonly PromptFact[]> {
  const live = await gatherFacts(workshop, workshop.kernel);
  const at = workshop.now();
  return [
    {
      name: 'worktree',
      value: {path: worktree.path, branch: worktree.branch, base: worktree.commit},
      source: 'journal',
      at,
    },
    ...live
      .filter(({name}) => name === 'ports' || name === 'services')
      .map((fact) => forOwner(fact, worktree)),
    ...(task === undefined
      ? []
      : [{name: 'siblings', value: siblingsOf(run, task), source: 'journal', at}]),
    ...live.filter(({name}) => name === 'head' || name === 'disk'),
  ];
}

/** Services of other tasks are none of its business; its own have the names that the plan has for them, and their address. */
function forOwner(fact: LiveFact, {owner}: Worktree): LiveFact {
  if (fact.name !== 'services' || !('value' in fact)) return fact;
  const services = (
    fact.value as readonly {
      readonly name: string;
      readonly owner?: string;
      readonly port?: number;
    }[]
  ).filter((service) => service.owner === undefined || service.owner === owner);
  return {
    ...fact,
    value: services.map((service) =>
      service.port === undefined ? service : {...service, url: `http://127.0.0.1:${service.port}`},
    ),
  };
}

function siblingsOf(
  run: Run,
  {id}: PlannedTask,
): {readonly task: string; readonly files: readonly string[]; readonly at: string}[] {
  return run.tasks
    .filter(({planned}) => planned.id !== id)
    .map(({planned, stage}) => ({task: planned.id, files: planned.files, at: stage.at}));
}
