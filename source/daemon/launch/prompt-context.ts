import path from 'node:path';
import {
  createRecall,
  type DiscardedRun,
  type PromptQuery,
  type Recall,
} from '../../knowledge/index.ts';
import {
  parseSkillList,
  type PromptFact,
  type RecalledSummary,
  type Skill,
  type SkillList,
} from '../../prompts/index.ts';
import {namesIn, tryReadText} from '../../files/index.ts';
import {
  isListed,
  type PlannedTask,
  type Run,
  selectLiveSessions,
  selectNeeds,
  rootOfVariant,
  selectRuns,
  type Worktree,
} from '../../domain/index.ts';
import {selectCheckout} from '../effects/task-place.ts';
import type {
  DaemonClock,
  KernelAccess,
  PromptSources,
  RepositoryAccess,
  SessionFiles,
  StateReader,
} from '../daemon-context.ts';
import {type Kernel, readDisk, readHeldPorts} from '../../system/index.ts';
import {selectRoots} from '../sessions/session-report.ts';

export const knowledgeDirectory = path.join('.orchestra', 'knowledge');

/** In order of precedence. */
const skillDirectories = [path.join('.orchestra', 'skills'), path.join('.claude', 'skills')];

/**
 * Links inside the checkout are followed: people keep the skills of several agents in one place.
 */
const bounds = (root: string) =>
  ({maxBytes: 256 * 1024, maxEntries: 2000, below: root, links: 'inside'}) as const;

/** The summaries in the repository. Read each time, because people edit, pull and remove them. */
export function readKnowledge(root: string): Recall {
  return createRecall(
    namesIn(path.join(root, knowledgeDirectory), bounds(root))
      .filter((name) => name.endsWith('.md'))
      .flatMap((name) => {
        const text = tryReadText(path.join(root, knowledgeDirectory, name), bounds(root));
        return text === undefined ? [] : [{path: path.join(knowledgeDirectory, name), text}];
      }),
  );
}

export function readSkills(root: string): SkillList {
  return parseSkillList(
    skillDirectories.flatMap((directory) =>
      namesIn(path.join(root, directory), bounds(root)).flatMap((name) => {
        const file = path.join(directory, name, 'SKILL.md');
        const source = tryReadText(path.join(root, file), bounds(root));
        return source === undefined ? [] : [{path: file, source}];
      }),
    ),
  );
}

/** The parts of an agent's prompt that are read when it starts. */
export type PromptContext = {
  readonly facts: readonly PromptFact[];
  readonly summaries: readonly RecalledSummary[];
  /** The ids of these summaries, to leave them out of a later prompt. */
  readonly summaryIds: readonly string[];
  readonly skill?: Skill;
  readonly skills: readonly Skill[];
  readonly secrets: readonly string[];
  readonly nonce: string;
  readonly now: number;
};

/** The share of the prompt for summaries of earlier tasks. */
const recallTokens = 1500;

export async function readPromptContext(
  context: PromptSources,
  run: Run,
  worktree: Worktree,
  task?: PlannedTask,
  options: Pick<PromptQuery, 'own' | 'given'> = {},
): Promise<PromptContext> {
  const {now} = context;
  const checkout = selectCheckout(context, run);
  const knowledge = readKnowledge(checkout);
  const {skills} = readSkills(checkout);
  const recalled = knowledge.forPrompt(
    {
      text: [run.request.objective, task?.title ?? '', task?.brief ?? ''].join('\n'),
      files: task?.files ?? [],
      discarded: selectDiscarded(context),
      ...options,
    },
    recallTokens,
  );
  const skill = skills.find(({name}) => name === (task?.skill ?? run.request.skill));
  const facts = await readPromptFacts(context, run, worktree, task);
  return {
    facts,
    summaries: recalled,
    summaryIds: recalled.map(({id}) => id),
    ...(skill === undefined ? {} : {skill}),
    skills,
    secrets: context.secrets(),
    nonce: context
      .randomToken()
      .replaceAll(/[^\w-]/g, '')
      .slice(0, 24),
    now: now(),
  };
}

/** A summary of a run may be older than the decision to discard the run. */
function selectDiscarded({state}: StateReader): DiscardedRun[] {
  return selectRuns(state())
    .filter(({stage}) => stage.at === 'discarded')
    .map(({id, request, tasks}) => ({
      run: id,
      titles: [request.objective, ...tasks.map(({planned}) => planned.title)],
    }));
}

/** Current facts for the agent in one worktree. */
export async function readPromptFacts(
  context: StateReader & SessionFiles & RepositoryAccess & DaemonClock & KernelAccess,
  run: Run,
  worktree: Worktree,
  task?: PlannedTask,
): Promise<readonly PromptFact[]> {
  const live = await gatherFacts(context, context.kernel);
  const at = context.now();
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
      : [{name: 'siblings', value: selectSiblings(run, task), source: 'journal', at}]),
    ...live.filter(({name}) => name === 'head' || name === 'disk'),
  ];
}

/** Leaves out services of other tasks, and adds the URL of the others. */
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

/** Variants of the same task do not know of each other. */
function selectSiblings(
  run: Run,
  planned: PlannedTask,
): {readonly task: string; readonly files: readonly string[]; readonly at: string}[] {
  return run.tasks
    .filter((other) => rootOfVariant(other.planned) !== rootOfVariant(planned))
    .map(({planned: {id, files}, stage}) => ({task: id, files, at: stage.at}));
}

/** A fact with its source and time. What cannot be determined is `unknown`, never a guess. */
export type LiveFact =
  | {
      readonly name: string;
      readonly value: unknown;
      readonly source: 'kernel' | 'git' | 'journal';
      readonly at: number;
    }
  | {readonly name: string; readonly unknown: string; readonly at: number};

/** Current facts about the machine and the repository, for agents and people. */
export async function gatherFacts(
  context: StateReader & SessionFiles & RepositoryAccess & DaemonClock,
  kernel: Kernel,
): Promise<readonly LiveFact[]> {
  const {state, root, now} = context;
  const known = state();
  const at = now();
  const [ports, head, status] = await Promise.all([
    readHeldPorts(selectRoots(context, selectLiveSessions(known)), kernel),
    askGit(context, ['rev-parse', '--verify', '--quiet', 'HEAD']),
    askGit(context, [
      'status',
      '--porcelain=v1',
      '--untracked-files=normal',
      '--ignore-submodules=dirty',
    ]),
  ]);
  const disk = readDisk(root);
  return [
    'value' in ports
      ? {
          name: 'ports',
          at: ports.at,
          source: 'kernel',
          value: ports.value.flatMap(({session, owner, where}) =>
            'port' in where ? [{session, pid: owner.identity.pid, ...where}] : [],
          ),
        }
      : {name: 'ports', at: ports.at, unknown: ports.unknown},
    {
      name: 'services',
      at,
      source: 'journal',
      value: known.services.filter(isListed).map(({spec, desire, stage}) => ({
        name: spec.name,
        desire,
        stage,
        ...(spec.port === undefined ? {} : {port: spec.port}),
        ...(spec.owner === undefined ? {} : {owner: spec.owner}),
      })),
    },
    {
      name: 'sessions',
      at,
      source: 'journal',
      value: selectLiveSessions(known).map(({id, purpose, life, waiting}) => ({
        session: id,
        for: purpose.for,
        life: life.at,
        ...(waiting === undefined ? {} : {waiting}),
      })),
    },
    {name: 'needs', at, source: 'journal', value: selectNeeds(known)},
    head === undefined
      ? {name: 'head', at, unknown: 'git did not say'}
      : {name: 'head', at, source: 'git', value: head.trim()},
    status === undefined
      ? {name: 'changed', at, unknown: 'git did not say'}
      : {
          name: 'changed',
          at,
          source: 'git',
          value: status.split('\n').filter((line) => line !== '').length,
        },
    disk === undefined
      ? {name: 'disk', at, unknown: 'the kernel did not say'}
      : {name: 'disk', at, source: 'kernel', value: disk},
  ];
}

/** Undefined if git fails, for example because there is no commit yet. */
function askGit(
  {workspace, root}: RepositoryAccess,
  argv: readonly string[],
): Promise<string | undefined> {
  return workspace()
    .git(root, argv, {isRead: true})
    .catch(() => undefined);
}
