import {sanitizeText} from '../../base/index.ts';
import type {LiveState} from '../../client/index.ts';
import {formatJson} from '../../documents/index.ts';
import {
  acceptWays,
  isReady,
  runOf,
  type AcceptWay,
  type Run,
  type Wish,
} from '../../domain/index.ts';
import {Impossible, type Here} from '../here.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {findRun} from './find-subject.ts';
import {propose} from './propose.ts';
import {signAccepted} from './sign-accepted.ts';
import {withLive} from './with-live.ts';

export type AcceptArguments = {
  readonly json?: boolean;
  readonly pullRequest?: boolean;
  readonly commit?: string;
  readonly merge?: boolean;
  readonly squash?: true | string;
  readonly rebase?: boolean;
  readonly into?: string;
  readonly sign?: boolean;
};

/** Into the person's branch, or as a pull request. */
export async function accept(
  id: string | undefined,
  options: AcceptArguments,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const way = wayOf(options);
  return withLive(surroundings, async (live, here) => {
    const run = findRun(live.state(), id);
    return options.pullRequest === true
      ? openRequest(run, options, here, surroundings)
      : acceptHere(
          run,
          {...options, ...(way === undefined ? {} : {way})},
          live,
          here,
          surroundings,
        );
  });
}

/** What a person says of it; nothing where the project file decides. */
function wayOf({merge, squash, rebase}: AcceptArguments): AcceptWay | undefined {
  if (typeof squash === 'string' && squash !== 'task' && squash !== 'run')
    throw new Impossible(
      `expected --squash, --squash=run or --squash=task, got --squash=${squash}`,
    );
  const said = [
    ...(merge === true ? ['merge' as const] : []),
    ...(squash === undefined
      ? []
      : [squash === 'task' ? ('squash-tasks' as const) : ('squash' as const)]),
    ...(rebase === true ? ['rebase' as const] : []),
  ];
  if (said.length > 1)
    throw new Impossible(
      `expected one way to accept (${acceptWays.join(', ')}), got ${said.join(' and ')}`,
    );
  return said[0];
}

async function openRequest(
  run: Run,
  {json, commit}: AcceptArguments,
  here: Here,
  surroundings: Surroundings,
): Promise<ExitCode> {
  if (commit !== undefined && !isNamed(run, commit))
    throw new Impossible(
      `${run.id} is at ${run.head ?? 'nothing'} now, not at ${commit}; look at it again: orchestra diff ${run.id}`,
    );
  const made = await propose(run, here, surroundings);
  if ('refused' in made) {
    surroundings.err(`orchestra: ${made.refused}\n`);
    return 1;
  }

  surroundings.out(json === true ? formatJson({run: run.id, ...made}) : `${made.url}\n`);
  return 0;
}

/** A commit may be named by its beginning. */
function isNamed({head}: Run, commit: string): boolean {
  return /^[\da-f]{7,64}$/.test(commit) && head?.startsWith(commit) === true;
}

async function acceptHere(
  run: Run,
  options: AcceptArguments & {readonly way?: AcceptWay},
  live: LiveState,
  here: Here,
  surroundings: Surroundings,
): Promise<ExitCode> {
  if (run.head === undefined)
    throw new Impossible(`${run.id} has nothing to accept; it is ${run.stage.at}`);
  const {project} = live.state();
  const named = options.commit;
  const commit = named === undefined || isNamed(run, named) ? run.head : named;
  const way = options.way ?? project.accept ?? 'merge';
  const isSigned = options.sign ?? project.sign === 'accept';
  const into = options.into === undefined ? {} : {into: options.into};
  // What would be refused is not signed first.
  const signed =
    isSigned && commit === run.head && isReady(run) && run.moved === undefined
      ? await signAccepted(run, {commit, way, ...into}, here, surroundings)
      : undefined;
  const wish: Wish = {
    type: 'accept-run',
    run: run.id,
    commit,
    way,
    ...into,
    ...(signed === undefined ? {sign: false} : {signed}),
  };
  await live.ask({about: 'wish', wish});
  const state = await live.until((known) => {
    const now = runOf(known, run.id);
    return now?.stage.at !== 'accepting' || now.trouble !== undefined || now.parked !== undefined;
  });
  const now = runOf(state, run.id) ?? run;
  if (now.stage.at === 'accepted') return tellAccepted(now, commit, options, surroundings);
  const why = now.stage.at === 'working' ? now.stage.refusal?.why : undefined;
  if (options.json === true)
    surroundings.out(formatJson({run: run.id, accepted: false, why: why ?? null}));
  else
    surroundings.err(
      `orchestra: ${run.id} was not accepted: ${sanitizeText(why ?? 'see orchestra needs')}\n`,
    );
  return 1;
}

function tellAccepted(
  {id, stage}: Run,
  shown: string,
  {json}: AcceptArguments,
  {out}: Surroundings,
): ExitCode {
  if (stage.at !== 'accepted') return 1;
  const {commit, way, into, isSigned, isAlreadyThere} = stage;
  if (json === true) {
    out(
      formatJson({
        run: id,
        accepted: true,
        commit,
        shown,
        way: way ?? 'merge',
        into: into ?? null,
        signed: isSigned === true,
        already: isAlreadyThere === true,
      }),
    );
    return 0;
  }

  const where = into ?? (isAlreadyThere === true ? 'your checkout' : 'your branch');
  const how =
    isAlreadyThere === true
      ? 'already there: you had brought it there yourself'
      : `${way ?? 'merge'}, ${isSigned === true ? 'signed with your key' : 'not signed'}`;
  out(
    `${id} is in ${sanitizeText(where)}: ${commit.slice(0, 12)} (${how}; accepted was ${shown.slice(0, 12)})\n`,
  );
  return 0;
}
