import path from 'node:path';
import {entriesOf} from '../base/index.ts';
import {
  briefOf,
  explainStop,
  readToolCosts,
  redact,
  refusedHostsOf,
  timelineOf,
  type ToolCosts,
} from '../documents/index.ts';
import {
  attemptOf,
  eventOf,
  isKnownEvent,
  isRunId,
  isTaskId,
  liveSessionsOf,
  malformationOf,
  runIdIn,
  runOf,
  runsOf,
  taskOf,
  tokensOf,
  usageOfRun,
  worktreeOf,
  worktreeOwnerOf,
  type Event,
  type RunId,
  type Session,
  type TaskId,
} from '../domain/index.ts';
import {tryReadText} from '../files/index.ts';
import {readJournal} from '../journal/index.ts';
import type {Progress, Question} from '../protocol/index.ts';
import {
  captureChange,
  changedFilesOf,
  diffOf,
  forecastConflicts,
  gcReport,
  keptWords,
  sweepLeftovers,
} from '../workspace/index.ts';
import {readKnowledge, readSkills} from './launch/knowledge.ts';
import {arriving, readSeen, staying, writeSeen, type Seen} from './person-seen.ts';
import {readPromptRecord} from './read-prompt-record.ts';
import {absentIn, dependenciesOf, shareFolders} from './shared-folders.ts';
import type {Workshop} from './workshop.ts';

export type LoopQuestion = Extract<
  Question,
  {
    readonly about:
      | 'explanation'
      | 'diff'
      | 'timeline'
      | 'brief'
      | 'seen'
      | 'recall'
      | 'audit'
      | 'skills'
      | 'dependencies'
      | 'share'
      | 'kept'
      | 'gc'
      | 'conflicts';
  }
>;

/** Answers about runs: from the journal, from git, from what agents were told. */
export async function answerLoop(
  workshop: Workshop,
  question: LoopQuestion,
  isPerson: () => Promise<boolean>,
  onProgress: (progress: Progress) => void,
): Promise<unknown> {
  switch (question.about) {
    case 'explanation':
      return explanationOf(workshop, subjectOf(question.of));
    case 'diff':
      return diffOfSubject(workshop, subjectOf(question.of));
    case 'timeline':
      return timelineOf(soundEvents(workshop), {
        state: workshop.state(),
        limit: question.limit ?? 200,
        ...(question.run === undefined ? {} : {run: question.run}),
        ...(question.all === true ? {all: true} : {}),
      });
    case 'brief':
      return brief(workshop, question, question.since === undefined && (await isPerson()));
    case 'seen':
      if (await isPerson()) noteSeen(workshop);
      return {};
    case 'recall': {
      const knowledge = readKnowledge(workshop.root);
      const found = [
        ...(question.files.length === 0 ? [] : knowledge.byFiles(question.files)),
        ...(question.words.trim() === '' ? [] : knowledge.search(question.words)),
      ];
      return [...new Map(found.map((one) => [one.path, one])).values()];
    }

    case 'audit':
      return auditOf(workshop, question.run);
    case 'skills':
      return {
        skills: readSkills(workshop.root).skills.map(({name, description}) => ({
          name,
          description,
        })),
      };
    case 'dependencies':
      return dependenciesOf(workshop);
    case 'share':
      return shareFolders(workshop, {
        paths: question.paths,
        isDetected: question.detected === true,
        byHardLink: question.hardLink === true,
      });
    case 'kept':
      return {kept: keptOf(workshop, subjectOf(question.of))};
    case 'gc':
      return gcOf(
        workshop,
        question.sweep === true,
        question.progress === true ? onProgress : () => undefined,
      );
    case 'conflicts':
      return forecast(workshop);
  }
}

function subjectOf(text: string): RunId | TaskId {
  if (!isRunId(text) && !isTaskId(text))
    throw new Error(
      `expected a run or a task such as r1 or r1.t2, got ${JSON.stringify(text.slice(0, 60))}`,
    );
  return text;
}

async function explanationOf(
  workshop: Workshop,
  about: RunId | TaskId,
): Promise<{readonly text: string}> {
  const state = workshop.state();
  const secrets = workshop.secrets();
  const task = isTaskId(about) ? taskOf(state, about) : undefined;
  const diff =
    task === undefined || task.attempts.length === 0
      ? undefined
      : await diffOfSubject(workshop, task.id).catch(() => undefined);
  const lines = diff?.files.map(
    ({path: file, how, added, removed}) => `${how.padEnd(8)} +${added} -${removed}  ${file}`,
  );
  const run = runOf(state, runIdIn(about));
  const worktree = task === undefined || run === undefined ? undefined : worktreeOf(run, task.id);
  const absent =
    worktree === undefined ? [] : await absentIn(workshop, worktree.path).catch(() => []);
  return {
    text: explainStop({
      state,
      about,
      absent,
      events: workshop.eventsOf(runIdIn(about)),
      redact: (text) => redact(text, secrets),
      ...(lines === undefined ? {} : {diff: lines}),
    }),
  };
}

type Diff = {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly files: Awaited<ReturnType<typeof changedFilesOf>>;
};

/** Of a run what is merged; of a task what stands in its worktree, or what it committed. */
async function diffOfSubject(workshop: Workshop, of: RunId | TaskId): Promise<Diff> {
  const run = runOf(workshop.state(), runIdIn(of));
  if (run === undefined) throw new Error(`there is no run ${runIdIn(of)}`);
  const workspace = workshop.workspace();
  const whole = async (from: string, to: string): Promise<Diff> => ({
    from,
    to,
    text: await diffOf(workspace, {from, to}),
    files: await changedFilesOf(workspace, {from, to}),
  });
  if (!isTaskId(of)) {
    // What is over has forgotten what it stood on; the journal has not.
    const base =
      'ground' in run.stage
        ? run.stage.ground.base
        : workshop
            .eventsOf(run.id)
            .flatMap((event) => (event.type === 'run-surveyed' ? [event.ground.base] : []))[0];
    if (base === undefined || run.head === undefined)
      throw new Error(`${of} has nothing to compare; it is ${run.stage.at}`);
    return whole(base, run.head);
  }

  const worktree = worktreeOf(run, of);
  const step = attemptOf(taskOf(workshop.state(), of) ?? ({attempts: []} as never))?.step;
  if (worktree === undefined) throw new Error(`${of} has no worktree, so nothing to compare`);
  if (step?.at === 'passed') return whole(worktree.commit, step.commit);
  const {change} = await captureChange(workspace, {
    directory: worktree.path,
    base: worktree.commit,
  });
  return whole(worktree.commit, change.tree);
}

/** Those that say what their type says: a journal of an older version may hold others. */
function soundEvents(workshop: Workshop): Event[] {
  return readEvents(workshop).filter((event) => malformationOf(event) === undefined);
}

export function readEvents({stateDirectory, state}: Workshop): Event[] {
  const {seq} = state();
  const events: Event[] = [];
  readJournal({
    directory: stateDirectory,
    knows: isKnownEvent,
    visit: (entry) => {
      if (entry.seq <= seq) events.push(eventOf(entry));
    },
  });
  return events;
}

/** Since the person was here last. Whoever else looks changes nothing about that. */
function brief(
  workshop: Workshop,
  {since, stay}: Extract<LoopQuestion, {about: 'brief'}>,
  isPerson: boolean,
): unknown {
  const now = workshop.now();
  const seen = readSeen(seenFileOf(workshop));
  const next = stay === true ? staying(seen, now) : arriving(seen, now);
  if (since === undefined && isPerson) remember(workshop, next);
  const events = soundEvents(workshop);
  return briefOf(workshop.state(), events, {
    since: since ?? next.before ?? (events[0]?.at ?? now) - 1,
    now,
    came: since === undefined ? next.came : undefined,
  });
}

/** The person did something elsewhere than in the app: typed a command, or into a session. */
export function noteSeen(workshop: Workshop): void {
  remember(workshop, staying(readSeen(seenFileOf(workshop)), workshop.now()));
}

/** On a full disk the person is told more than they missed, and not less. */
function remember(workshop: Workshop, seen: Seen): void {
  try {
    writeSeen(seenFileOf(workshop), seen);
  } catch (error) {
    workshop.log(
      `it is not remembered that you were here: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function seenFileOf({stateDirectory}: Workshop): string {
  return path.join(stateDirectory, 'seen.json');
}

function auditOf(workshop: Workshop, run: string | undefined): unknown {
  const state = workshop.state();
  const runs = runsOf(state).filter(({id}) => run === undefined || id === run);
  const ids = new Set(runs.flatMap(({sessions}) => sessions));
  const contexts = entriesOf(state.sessions)
    .filter(({id}) => ids.has(id))
    .flatMap((session) => {
      const kept = readPromptRecord(workshop, session.id);
      return kept === undefined
        ? []
        : [{session: session.id, about: aboutOf(session), ...kept, used: session.usage}];
    });
  const spent = runs.reduce((sum, one) => sum + tokensOf(usageOfRun(state, one)), 0);
  const validated = runs
    .flatMap(({tasks}) => tasks)
    .filter(({attempts}) => attempts.some(({step}) => step.at === 'passed')).length;
  const tools = toolCostsIn(workshop);
  const abouts = new Map(
    entriesOf(state.sessions)
      .filter(({id}) => ids.has(id))
      .map((session) => [session.id as string, aboutOf(session)]),
  );
  return {
    contexts,
    spent,
    validated,
    refused: refusedHostsOf(soundEvents(workshop), (session) => abouts.get(session)),
    ...(tools !== undefined && {tools}),
  };
}

function aboutOf({purpose}: Session): string {
  return 'task' in purpose ? purpose.task : 'run' in purpose ? purpose.run : '';
}

/** What `orchestra audit --tools` found out last. */
function toolCostsIn({stateDirectory}: Workshop): ToolCosts | undefined {
  return readToolCosts(
    tryReadText(path.join(stateDirectory, 'tool-costs.json'), {maxBytes: 16 * 1024 * 1024}) ?? '',
  );
}

/** Where what was discarded can be found again. */
function keptOf(
  workshop: Workshop,
  of: RunId | TaskId,
): {readonly owner: string; readonly ref: string | null; readonly words: readonly string[]}[] {
  const removed = workshop
    .eventsOf(runIdIn(of))
    .flatMap((event) =>
      event.type === 'worktree-removed' && (event.owner === of || !isTaskId(of))
        ? [{owner: event.owner, ref: event.kept}]
        : [],
    );
  return removed.map(({owner, ref}) => ({
    owner,
    ref,
    words: keptWords(workshop.workspace(), owner),
  }));
}

/** What could go. A worktree goes by a person's wish about it; what no journal knows and nobody has touched goes when `sweep` is asked for. */
async function gcOf(
  workshop: Workshop,
  sweep: boolean,
  onProgress: (progress: Progress) => void,
): Promise<unknown> {
  const runs = runsOf(workshop.state());
  const busy = new Set(liveSessionsOf(workshop.state()).map(worktreeOwnerOf));
  const known = runs.flatMap((run) =>
    run.worktrees.map(({owner, path: place, branch, commit}) => ({
      owner,
      path: place,
      branch,
      base: commit,
      ...(run.stage.at === 'accepted' ? {mergedInto: run.head ?? run.stage.commit} : {}),
      isLive: () => busy.has(owner),
    })),
  );
  const {worktrees, leftovers, backups} = await gcReport(
    workshop.workspace(),
    known,
    (owner, done) => {
      onProgress({what: `looking at ${owner}`, done, total: known.length});
    },
  );
  const isOver = (owner: string): boolean =>
    runs.some(
      ({id, stage}) =>
        owner.startsWith(`${id}.`) && (stage.at === 'accepted' || stage.at === 'discarded'),
    );
  if (sweep && leftovers.length > 0)
    onProgress({what: 'removing what is left over', done: known.length, total: known.length});
  if (sweep) workshop.environments.sweep();
  const swept = sweep
    ? await sweepLeftovers(
        workshop.workspace(),
        known.map(({path: place}) => place),
      )
    : [];
  return {
    worktrees: worktrees.map((worktree) =>
      isOver(worktree.owner) ? worktree : {...worktree, mayGo: false, why: 'its run is not over'},
    ),
    leftovers,
    backups,
    swept,
  };
}

/** Which of the tasks at work would not merge beside each other, as they are now. */
async function forecast(workshop: Workshop): Promise<unknown> {
  const places = runsOf(workshop.state()).flatMap((run) =>
    run.tasks
      .filter(
        ({stage}) =>
          stage.at === 'attempting' ||
          stage.at === 'validated' ||
          stage.at === 'merging' ||
          stage.at === 'stopped' ||
          stage.at === 'taken-over',
      )
      .flatMap(({id}) => {
        const worktree = worktreeOf(run, id);
        return worktree === undefined
          ? []
          : [{owner: id, directory: worktree.path, base: worktree.commit}];
      }),
  );
  return forecastConflicts(workshop.workspace(), places);
}
