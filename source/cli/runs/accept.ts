import {readlinkSync} from 'node:fs';
import {sanitizeText} from '../../shared/index.ts';
import type {LiveState} from '../../client/index.ts';
import {formatJson} from '../../reports/index.ts';
import {
  type AcceptWay,
  acceptWays,
  isReady,
  type Run,
  selectRun,
  type UserCommand,
} from '../../domain/index.ts';
import {type RepoPaths, UsageError} from '../repo-paths.ts';
import type {CliContext, ExitCode} from '../cli-context.ts';
import {findRun} from './find-subject.ts';
import {openOwnWorkspace, propose} from './propose.ts';
import {withLive} from '../with-daemon.ts';
import {
  composeLandingText,
  planLanding,
  readBranch,
  readSigning,
  signLanding,
} from '../../git/index.ts';

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

/** Merges a run into the person's branch, or opens a pull request. */
export async function accept(
  id: string | undefined,
  options: AcceptArguments,
  cli: CliContext,
): Promise<ExitCode> {
  const way = parseWay(options);
  return withLive(cli, async (live, repoPaths) => {
    const run = findRun(live.state(), id);
    return options.pullRequest === true
      ? openPullRequest(run, options, repoPaths, cli)
      : acceptInCheckout(
          run,
          {...options, ...(way === undefined ? {} : {way})},
          live,
          repoPaths,
          cli,
        );
  });
}

/** The way that the options choose; `undefined` leaves it to the project file. */
function parseWay({merge, squash, rebase}: AcceptArguments): AcceptWay | undefined {
  if (typeof squash === 'string' && squash !== 'task' && squash !== 'run')
    throw new UsageError(
      `expected --squash, --squash=run or --squash=task, got --squash=${squash}`,
    );
  const output = [
    ...(merge === true ? ['merge' as const] : []),
    ...(squash === undefined
      ? []
      : [squash === 'task' ? ('squash-tasks' as const) : ('squash' as const)]),
    ...(rebase === true ? ['rebase' as const] : []),
  ];
  if (output.length > 1)
    throw new UsageError(
      `expected one way to accept (${acceptWays.join(', ')}), got ${output.join(' and ')}`,
    );
  return output[0];
}

async function openPullRequest(
  run: Run,
  {json, commit}: AcceptArguments,
  repoPaths: RepoPaths,
  cli: CliContext,
): Promise<ExitCode> {
  if (commit !== undefined && !isHead(run, commit))
    throw new UsageError(
      `${run.id} is at ${run.head ?? 'no commit'} now, not at ${commit}. Look at it again: orchestra diff ${run.id}`,
    );
  const made = await propose(run, repoPaths, cli);
  if ('rejected' in made) {
    cli.err(`orchestra: ${made.rejected}\n`);
    return 1;
  }

  cli.out(json === true ? formatJson({run: run.id, ...made}) : `${made.url}\n`);
  return 0;
}

/** A commit may be abbreviated. */
function isHead({head}: Run, commit: string): boolean {
  return /^[\da-f]{7,64}$/.test(commit) && head?.startsWith(commit) === true;
}

async function acceptInCheckout(
  run: Run,
  options: AcceptArguments & {readonly way?: AcceptWay},
  live: LiveState,
  repoPaths: RepoPaths,
  cli: CliContext,
): Promise<ExitCode> {
  if (run.head === undefined)
    throw new UsageError(`${run.id} has nothing to accept; it is ${run.stage.at}`);
  const {project} = live.state();
  const named = options.commit;
  const commit = named === undefined || isHead(run, named) ? run.head : named;
  const way = options.way ?? project.accept ?? 'merge';
  const isSigned = options.sign ?? project.sign === 'accept';
  const into = options.into === undefined ? {} : {into: options.into};
  // A commit that would be rejected is not signed first.
  const signed =
    isSigned && commit === run.head && isReady(run) && run.moved === undefined
      ? await signAccepted(run, {commit, way, ...into}, repoPaths, cli)
      : undefined;
  const command: UserCommand = {
    type: 'accept-run',
    run: run.id,
    commit,
    way,
    ...into,
    ...(signed === undefined ? {sign: false} : {signed}),
  };
  await live.ask({about: 'wish', wish: command});
  const state = await live.until((known) => {
    const now = selectRun(known, run.id);
    return now?.stage.at !== 'accepting' || now.trouble !== undefined || now.parked !== undefined;
  });
  const now = selectRun(state, run.id) ?? run;
  if (now.stage.at === 'accepted') return printAccepted(now, commit, options, cli);
  const why = now.stage.at === 'working' ? now.stage.refusal?.why : undefined;
  if (options.json === true) cli.out(formatJson({run: run.id, accepted: false, why: why ?? null}));
  else
    cli.err(
      `orchestra: ${run.id} was not accepted: ${sanitizeText(why ?? 'see orchestra needs')}\n`,
    );
  return 1;
}

function printAccepted(
  {id, stage}: Run,
  shown: string,
  {json}: AcceptArguments,
  {out}: CliContext,
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
      ? 'already there: you merged it yourself'
      : `${way ?? 'merge'}, ${isSigned === true ? 'signed with your key' : 'not signed'}`;
  out(
    `${id} is in ${sanitizeText(where)}: ${commit.slice(0, 12)} (${how}; you accepted ${shown.slice(0, 12)})\n`,
  );
  return 0;
}

/**
 * Creates the commits for the person's branch, signed with their key, and returns the last one. It
 * happens here and not in the daemon, because a key may ask for its passphrase in the person's
 * terminal. Nothing refers to the commits until the daemon has compared them with its own result.
 * `undefined` if there is nothing to create.
 */
export async function signAccepted(
  run: Run,
  {commit, way, into}: {readonly commit: string; readonly way: AcceptWay; readonly into?: string},
  repoPaths: RepoPaths,
  cli: CliContext,
): Promise<string | undefined> {
  const {stage} = run;
  if (stage.at !== 'working') return undefined;
  const branch = into ?? stage.ground.branch;
  if (branch === null) return undefined;
  const {workspace} = openOwnWorkspace(repoPaths, {env: withTerminal(cli.env)});
  const from =
    (await readBranch(workspace, branch)) ?? (into === undefined ? undefined : stage.ground.base);
  if (from === undefined) return undefined;
  const signing = await readSigning(workspace);
  if ('rejected' in signing) throw new UsageError(signing.rejected);
  const landing = await planLanding(workspace, {
    from,
    branch,
    commit,
    way,
    at: stage.approval.at,
    text: composeLandingText(run),
    isSigned: true,
  });
  // The daemon rejects it with the same message.
  if ('rejected' in landing || landing.steps.length === 0) return undefined;
  const made = await signLanding(workspace, landing, signing);
  if ('rejected' in made) throw new UsageError(made.rejected);
  return made.signed;
}

/** gpg prompts on the terminal that GPG_TTY names; most shells do not set it. */
function withTerminal(env: CliContext['env']): CliContext['env'] {
  if (env['GPG_TTY'] !== undefined) return env;
  try {
    const terminal = readlinkSync('/proc/self/fd/0');
    return /^\/dev\/(?:pts\/|tty)/.test(terminal) ? {...env, GPG_TTY: terminal} : env;
  } catch {
    return env;
  }
}
