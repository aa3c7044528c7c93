import {
  acceptWays,
  isReady,
  runIdIn,
  runOf,
  type AcceptWay,
  type Run,
  type State,
} from '../../domain/index.ts';
import {doing, only, saying, type Result} from './action.ts';
import {openField} from './fields.ts';
import type {ConfirmedDeed, Model} from './model.ts';
import {ask} from './open-screen.ts';

/** Asks once more before a run is brought into the person's branch. What is accepted is the commit that they were shown. */
export function acceptRun(
  model: Model,
  does: 'accept' | 'propose',
  state: State,
  now: number,
): Result {
  const {need} = model;
  const id =
    model.screen === 'needs' && need !== undefined && 'run' in need
      ? need.run
      : model.subject === undefined
        ? model.run
        : runIdIn(model.subject);
  const run = id === undefined ? undefined : runOf(state, id);
  if (run?.head === undefined || !isReady(run))
    return only(
      saying(
        model,
        run === undefined
          ? 'There is nothing to accept.'
          : `${run.id} cannot be accepted yet: ${unfinished(run)}.`,
        now,
      ),
    );
  const commit = shownCommit(model, run) ?? run.head;
  if (commit !== run.head) {
    return doing(
      saying(
        model,
        `${run.id} has changed since you looked. What is new is shown now; look at it, then accept.`,
        now,
        'bad',
      ),
      ask(`diff/${run.id}`, {about: 'diff', of: run.id}),
    );
  }

  const into = 'ground' in run.stage ? run.stage.ground.branch : null;
  if (does === 'propose')
    return only(
      asking(
        model,
        `Open a pull request for ${run.id}?`,
        [
          `Its branch, with ${mergedOf(run)} tasks, is pushed to origin, and gh opens a pull request into ${into ?? 'your checkout'}. Your own branch stays as it is.`,
        ],
        {does: 'propose', run: run.id},
      ),
    );
  if (state.project.sign === 'accept')
    return only(
      saying(
        model,
        `The project wants what is accepted signed with your key, which may ask for its passphrase. In a terminal: orchestra accept ${run.id} --commit ${commit.slice(0, 12)}`,
        now,
        'bad',
      ),
    );
  const way = state.project.accept ?? 'merge';
  // Nobody knows where it should go: the person names it.
  if (into === null)
    return only(
      openField(
        model,
        {what: 'into', run: run.id, commit, way},
        'Into which branch (made if it is not there)',
      ),
    );
  return only(askToAccept(model, run, {does: 'accept', run: run.id, commit, way}));
}

/** On a review the run's own difference, on a need the commit that it names. */
function shownCommit(
  {screen, need, subject, answers: {diff}}: Model,
  {id}: Run,
): string | undefined {
  if (screen === 'needs') return need?.kind === 'accept' ? need.commit : undefined;
  return subject === id && diff?.of === id && 'value' in diff ? diff.value.to : undefined;
}

type Accepting = Extract<ConfirmedDeed, {readonly does: 'accept'}>;

export function askToAccept(model: Model, run: Run, yes: Accepting): Model {
  const into =
    yes.into ?? ('ground' in run.stage ? run.stage.ground.branch : null) ?? 'your checkout';
  return asking(
    model,
    `Bring ${run.id} into ${into}?`,
    [
      `${mergedOf(run)} tasks are merged and validated, at ${yes.commit.slice(0, 12)}. Your own uncommitted changes are not touched; where they are in the way, nothing is done.`,
      `${yes.way}: ${wayWords[yes.way]}. It is not signed.`,
    ],
    yes,
  );
}

const wayWords: Readonly<Record<AcceptWay, string>> = {
  merge: 'its commits come as they are, with a merge where your branch has moved',
  squash: 'one commit for the whole run',
  'squash-tasks': 'one commit for each task, with a merge where your branch has moved',
  rebase: 'one commit for each task, in a line on top of your branch',
};

/** The next way to accept what is being asked about. */
export function nextWay(model: Model, state: State): Result {
  const yes = model.asking?.yes;
  const run = yes?.does === 'accept' ? runOf(state, yes.run) : undefined;
  if (yes?.does !== 'accept' || run === undefined) return only(model);
  return only(
    askToAccept(model, run, {
      ...yes,
      way: acceptWays[(acceptWays.indexOf(yes.way) + 1) % acceptWays.length] ?? 'merge',
    }),
  );
}

function asking(
  model: Model,
  question: string,
  lines: readonly string[],
  yes: ConfirmedDeed,
): Model {
  return {...model, asking: {question, lines, yes}};
}

function mergedOf({tasks}: Run): string {
  return `${tasks.filter(({stage}) => stage.at === 'merged').length} of ${tasks.length}`;
}

function unfinished({tasks}: Run): string {
  const open = tasks
    .filter(({stage}) => stage.at !== 'merged' && stage.at !== 'discarded')
    .map(({planned}) => planned.id);
  return open.length === 0
    ? 'nothing of it is merged'
    : `${open.join(', ')} ${open.length === 1 ? 'is' : 'are'} not merged yet`;
}
