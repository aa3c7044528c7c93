import {mkdtempSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type {LiveState} from '../../client/index.ts';
import {
  baselineReport,
  formatJson,
  formatPlanLines,
  formatProblems,
  planFileOf,
  planHash,
  readPlanFile,
  sharingHint,
  unshared,
} from '../../documents/index.ts';
import type {Proposal, Run, Wish} from '../../domain/index.ts';
import {readRegularFile, writeWhole} from '../../files/index.ts';
import {Impossible} from '../here.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {approve} from './approve.ts';
import {editText} from './edit-text.ts';
import {findRun} from './find-subject.ts';
import {followOn} from './follow-on.ts';
import {followRun, planText, sharingOf} from './follow-run.ts';
import {createStory} from './story.ts';
import {withLive} from './with-live.ts';

type Options = {readonly json?: boolean};

/** The whole plan, as it would be approved. */
export async function planShow(
  id: string | undefined,
  options: Options,
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withLive(surroundings, async (live) => {
    const run = findRun(live.state(), id);
    const {stage} = run;
    if (!('proposal' in stage)) throw new Impossible(`${run.id} has no plan; it is ${stage.at}`);
    const {proposal, ground} = stage;
    const report =
      stage.at === 'reviewing' ? await sharingOf(live) : {directories: [], hasSetup: false};
    const lines = sharingHint(report);
    surroundings.out(
      options.json === true
        ? formatJson({
            run: run.id,
            stage: stage.at,
            hash: proposal.hash,
            rules: ground.rules.hash,
            base: ground.base,
            tree: proposal.tree,
            comments: proposal.comments,
            notes: ground.notes ?? [],
            plan: proposal.plan,
            baseline: baselineReport(live.state(), run),
            unshared: unshared(report),
          })
        : `${planText(run, surroundings, live.state())}${lines.length === 0 ? '' : `\n${lines.join('\n')}\n`}`,
    );
    return stage.at === 'reviewing' ? 3 : 0;
  });
}

/** A person's word, bound to what the plan, the rules and the base are now. */
export async function planApprove(
  id: string | undefined,
  options: Options & {readonly follow?: boolean; readonly hash?: string},
  surroundings: Surroundings,
): Promise<ExitCode> {
  const of: {run?: Run} = {};
  const story = createStory(surroundings, () => of.run?.id);
  try {
    return await withLive(
      surroundings,
      async (live) => {
        const run = findRun(live.state(), id);
        of.run = run;
        if (
          options.hash !== undefined &&
          run.stage.at === 'reviewing' &&
          !run.stage.proposal.hash.startsWith(options.hash)
        )
          throw new Impossible(
            `the plan of ${run.id} is ${run.stage.proposal.hash.slice(0, 12)} now; read it again before you approve: orchestra plan show ${run.id}`,
          );
        await approve(live, run);
        if (options.follow === true) return followRun(live, run.id, options, surroundings, story);
        surroundings.out(
          options.json === true
            ? formatJson({run: run.id, approved: true})
            : `${run.id} is approved; its workers start. Watch it: orchestra status ${run.id}\n`,
        );
        return 0;
      },
      options.follow === true ? story.hear : undefined,
      options.follow === true
        ? () => followOn(of.run?.id, options, surroundings, story, story.hear)
        : undefined,
    );
  } finally {
    story.end();
  }
}

export async function planReject(
  id: string | undefined,
  options: Options & {readonly reason?: string},
  surroundings: Surroundings,
): Promise<ExitCode> {
  return answerPlan(
    id,
    options,
    surroundings,
    ({id: run}, proposal) => ({
      type: 'reject-plan',
      run,
      plan: proposal.hash,
      reason: options.reason ?? '',
    }),
    'is planned again',
  );
}

export async function planComment(
  id: string,
  line: string,
  text: string,
  options: Options,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const number = Number(line);
  if (!Number.isInteger(number) || number < 1)
    throw new Impossible(`expected the number of a line of the plan, got ${JSON.stringify(line)}`);
  const wish = (run: Run, {plan}: Proposal): Wish => {
    const {length} = formatPlanLines(plan);
    if (number > length)
      throw new Impossible(
        `expected one of the ${length} numbered lines of the plan of ${run.id}, got ${number}; they are shown by: orchestra plan show ${run.id}`,
      );
    return {type: 'comment-plan', run: run.id, line: number, text};
  };

  return answerPlan(
    id,
    options,
    surroundings,
    wish,
    'has your comment; reject the plan to have it planned again with it',
  );
}

export async function planAgain(
  id: string | undefined,
  options: Options & {readonly reason?: string},
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withLive(surroundings, async (live) => {
    const run = findRun(live.state(), id);
    await live.ask({
      about: 'wish',
      wish: {
        type: 'plan-again',
        run: run.id,
        ...(options.reason === undefined ? {} : {reason: options.reason}),
      },
    });
    surroundings.out(
      options.json === true ? formatJson({run: run.id}) : `${run.id} is planned again\n`,
    );
    return 0;
  });
}

/** In the person's own editor; checked when it is saved. */
export async function planEdit(
  id: string | undefined,
  options: Options & {readonly file?: string},
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withLive(surroundings, async (live) => {
    const run = findRun(live.state(), id);
    const {stage} = run;
    if (stage.at !== 'reviewing')
      throw new Impossible(`${run.id} has no plan that waits for you; it is ${stage.at}`);
    const before = planFileOf(stage.proposal.plan);
    const text =
      options.file === undefined
        ? editText(before, `${run.id}-plan.yaml`, surroundings)
        : textIn(path.resolve(surroundings.cwd, options.file));
    if (text.trim() === '' || text === before) {
      surroundings.out('nothing was changed\n');
      return 0;
    }

    const {value, problems} = readPlanFile(text, {
      objective: run.request.objective,
      tools: (live.state().project.tools ?? []).map(({name}) => name),
    });
    if (problems.length > 0) surroundings.err(formatProblems(problems));
    if (value === undefined) {
      surroundings.err(
        `orchestra: the plan was not changed. Your text is kept: ${options.file ?? keepText(text, run)}\n  orchestra plan edit ${run.id} --file FILE takes it again\n`,
      );
      return 1;
    }

    await proposeEdit(live, run, value);
    surroundings.out(
      options.json === true
        ? formatJson({run: run.id, hash: planHash(value)})
        : `${run.id} has your plan; it waits for your approval: orchestra plan approve ${run.id}\n`,
    );
    return 0;
  });
}

async function proposeEdit(
  live: LiveState,
  {id}: Run,
  plan: Parameters<typeof planHash>[0],
): Promise<void> {
  await live.ask({about: 'wish', wish: {type: 'edit-plan', run: id, plan, hash: planHash(plan)}});
}

function textIn(file: string): string {
  const reading = readRegularFile(file, {maxBytes: 16 * 1024 * 1024, links: 'follow'});
  if (reading.at === 'refused') throw new Impossible(`${file} ${reading.message}`);
  return reading.bytes.toString('utf8');
}

/** What a person wrote is not lost because it was not right. */
function keepText(text: string, {id}: Run): string {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'orchestra-plan-')), `${id}-plan.yaml`);
  writeWhole(file, text);
  return file;
}

async function answerPlan(
  id: string | undefined,
  options: Options,
  surroundings: Surroundings,
  wishOf: (run: Run, proposal: Proposal) => Wish,
  words: string,
): Promise<ExitCode> {
  return withLive(surroundings, async (live) => {
    const run = findRun(live.state(), id);
    if (run.stage.at !== 'reviewing')
      throw new Impossible(`${run.id} has no plan that waits for you; it is ${run.stage.at}`);
    await live.ask({about: 'wish', wish: wishOf(run, run.stage.proposal)});
    surroundings.out(options.json === true ? formatJson({run: run.id}) : `${run.id} ${words}\n`);
    return 0;
  });
}
