import {formatNeeds, needsReport} from '../../documents/index.ts';
import {
  isReady,
  isTaskId,
  needsOf,
  runOf,
  type Event,
  type RunId,
  type RunRequest,
} from '../../domain/index.ts';
import type {LiveState} from '../../client/index.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {approve} from '../loop/approve.ts';
import {isWaitingForPerson} from '../loop/is-waiting.ts';
import {branchOf, planText} from '../loop/follow-run.ts';
import {shellEnvironment} from '../loop/shell-environment.ts';
import {createStory, type Story} from '../loop/story.ts';
import {textOptionsOf} from '../loop/text-options.ts';
import {withLive} from '../loop/with-live.ts';
import {makeDemo, type Demo} from './make-demo.ts';

/** The whole loop on a repository that is made for it: real git, real terminals, real checks. In the app the person decides; without it the person is played. */
export async function demo(
  options: {readonly headless?: boolean},
  surroundings: Surroundings,
): Promise<ExitCode> {
  const made = await makeDemo(surroundings.env);
  surroundings.out(`A repository with a real bug: ${made.root}\n`);
  const inside: Surroundings = {...surroundings, cwd: made.root};
  if (options.headless === true || surroundings.terminal === undefined)
    return playDemo(made, inside);
  await withLive(inside, async (live) => {
    await live.ask({
      about: 'wish',
      wish: {type: 'start-run', request: requestOf(made), budget: {}},
      env: shellEnvironment(live.state().project, requestOf(made), inside),
    });
    return 0;
  });
  const code = await (await import('../app/app.ts')).app(inside);
  surroundings.out(
    `Everything goes on without the app. Come back: cd ${made.root} && orchestra\nIt can go when you are done: orchestra daemon stop; rm -r ${made.home}\n`,
  );
  return code;
}

function requestOf({objective, playbook}: Demo): RunRequest {
  return {objective, worker: 'playbook', planner: 'playbook', playbook, queued: false};
}

async function playDemo(made: Demo, surroundings: Surroundings): Promise<ExitCode> {
  let id: RunId | undefined;
  const story = createStory(surroundings, () => id);
  try {
    return await withLive(
      surroundings,
      async (live) => {
        story.say(`\n$ orchestra run "${made.objective}" --playbook ${made.playbook}\n`);
        const {events} = (await live.ask({
          about: 'wish',
          wish: {type: 'start-run', request: requestOf(made), budget: {}},
          env: shellEnvironment(live.state().project, requestOf(made), surroundings),
        })) as {readonly events: readonly Event[]};
        id = events.find((event) => event.type === 'run-created')?.run;
        if (id === undefined) return 1;
        const isDone = await playPerson(live, id, surroundings, story);
        return isDone ? await finish(live, id, made, story) : 1;
      },
      story.hear,
    );
  } finally {
    story.end();
  }
}

/** Approves the plan, answers the question; anything else that needs a person ends the demo. */
async function playPerson(
  live: LiveState,
  id: RunId,
  surroundings: Surroundings,
  story: Story,
): Promise<boolean> {
  const answered = new Set<string>();
  for (;;) {
    const state = await live.until((known) => {
      const run = runOf(known, id);
      if (run === undefined || isReady(run)) return true;
      return (
        isWaitingForPerson(known, run) ||
        needsOf(known).some(
          (need) => need.kind === 'question' && need.proof === 'proven' && !answered.has(need.id),
        )
      );
    });
    const run = runOf(state, id);
    if (run === undefined) return false;
    if (isReady(run)) return true;
    if (run.stage.at === 'reviewing') {
      story.say(
        `\n${planText(run, surroundings, state)}\n$ orchestra plan approve ${id}        (the demo says yes for you)\n\n`,
      );
      await approve(live, run);
      continue;
    }

    const question = needsOf(state).find(
      (need) => need.kind === 'question' && !answered.has(need.id),
    );
    if (question?.kind === 'question') {
      answered.add(question.id);
      story.say(
        `          ${question.session} waits for input (${question.proof}): ${question.question}\n\n$ orchestra send ${question.session} EUR        (the demo answers for you)\n\n`,
      );
      await live.ask({
        about: 'wish',
        wish: {type: 'send-input', session: question.session, text: 'EUR\r'},
      });
      continue;
    }

    // A moment between two things that follow from each other looks the same, and lasts longer where the machine is slow.
    const {seq} = state;
    const patienceMs = needsOf(state).every(({id: need}) => answered.has(need)) ? 60_000 : 2000;
    const moved = await Promise.race([
      live.until((known) => known.seq > seq).then(() => true),
      new Promise<false>((resolve) => {
        setTimeout(resolve, patienceMs, false).unref();
      }),
    ]);
    if (moved) continue;
    story.say(`\n${formatNeeds(needsReport(state, Date.now()), textOptionsOf(surroundings))}`);
    return false;
  }
}

async function finish(live: LiveState, id: RunId, made: Demo, story: Story): Promise<ExitCode> {
  const head = runOf(live.state(), id)?.head;
  if (head === undefined) return 1;
  await live.until((state) => {
    const run = runOf(state, id);
    if (run === undefined || run.trouble !== undefined) return true;
    return (
      run.summarised === run.tasks.reduce((sum, {endings}) => sum + endings, 0) &&
      run.tasks.every(
        ({endings, summarised, attempts, trouble}) =>
          endings === summarised || attempts.length === 0 || trouble !== undefined,
      )
    );
  });
  const run = runOf(live.state(), id);
  story.say(`\n$ orchestra accept ${id}        (the demo says yes for you)\n`);
  await live.ask({about: 'wish', wish: {type: 'accept-run', run: id, commit: head}});
  const state = await live.until((known) => runOf(known, id)?.stage.at !== 'accepting');
  const isHome = runOf(state, id)?.stage.at === 'accepted';
  await live.ask({about: 'wish', wish: {type: 'stop-service', service: 'till'}});
  await live.until((known) => known.live.length === 0);
  // What nobody needs any more is taken away before the daemon goes.
  await live.until(
    (known) => !isHome || runOf(known, id)?.worktrees.every(({owner}) => isTaskId(owner)) !== false,
  );
  story.say(
    `${[
      '',
      isHome
        ? `Done: ${made.root} has the fix on its branch main.`
        : 'The run is ready but could not be brought home; see orchestra needs.',
      '',
      'Where to look:',
      `  cd ${made.root}`,
      '  git log --graph --oneline',
      '  orchestra status r1',
      '  orchestra timeline r1',
      `  orchestra diff ${id}        ${run === undefined ? '' : `(branch ${branchOf(run)})`}`,
      '  orchestra audit r1',
      '  ls .orchestra/knowledge',
      `It can go when you are done: rm -r ${made.home}`,
      '',
    ].join('\n')}\n`,
  );
  await live.ask({about: 'stop-daemon'});
  return isHome ? 0 : 1;
}
