import {
  plainOutputOf,
  planHash,
  readPlanFromOutput,
  redactTexts,
  redactValues,
} from '../../documents/index.ts';
import {runOf, sessionOf, worktreeOf, type Plan} from '../../domain/index.ts';
import {changedSince, treeOf} from '../../workspace/index.ts';
import type {Perform} from '../conductor.ts';
import {driverFor} from '../launch/agent-launch.ts';
import {exchangeOf, readOutcomeText} from '../launch/exchange.ts';
import {handedPlanOf} from '../tools/hand-in-tools.ts';
import type {Workshop} from '../workshop.ts';
import {endLeftovers} from './end-leftovers.ts';
import {readOutput} from './read-output.ts';

/** A plan is short; what a planner printed before it need not be read. */
const mostBytes = 2 * 1024 * 1024;

/** What came of planning: a plan, and the proof that nothing was written; or what is wrong with it. */
export function readPlan(workshop: Workshop): Perform {
  return async (effect, report) => {
    if (effect.do !== 'read-plan') return;
    const {run: id, session} = effect;
    const run = runOf(workshop.state(), id);
    const asked = sessionOf(workshop.state(), session);
    const worktree = run === undefined ? undefined : worktreeOf(run, `${id}.plan`);
    if (run === undefined || asked?.purpose.for !== 'plan' || worktree === undefined)
      throw new Error(`${id} has no planner`);
    const {round} = asked.purpose;
    await endLeftovers(workshop, asked);
    const workspace = workshop.workspace();
    const tree = await treeOf(workspace, worktree.path);
    if (tree !== worktree.tree) {
      await report({
        type: 'planner-wrote',
        run: id,
        round,
        paths: await changedSince(workspace, worktree.path, worktree.tree),
      });
      return;
    }

    const output = plainOutputOf(readOutput(workshop, session, mostBytes));
    const outcomeText = readOutcomeText(exchangeOf(workshop, session));
    const code = asked.life.at === 'exited' ? asked.life.code : null;
    const outcome = driverFor(workshop, run, {for: 'plan'}).readOutcome({
      code,
      output,
      ...(outcomeText === undefined ? {} : {outcome: outcomeText}),
    });
    if (outcome.usage !== undefined)
      await report({type: 'usage-counted', session, usage: outcome.usage}, false);
    if (outcome.conversation !== undefined)
      await report(
        {type: 'conversation-known', session, conversation: outcome.conversation},
        false,
      );
    if (outcome.at === 'conversation-lost') {
      await report({type: 'conversation-lost', session, words: outcome.words});
      return;
    }

    if (outcome.at === 'unavailable') {
      await report({type: 'agent-unavailable', words: outcome.words});
      return;
    }

    if (outcome.at === 'interrupted') {
      await report({type: 'planning-interrupted', run: id, round, words: outcome.words});
      return;
    }

    if (outcome.at !== 'finished') {
      await report({type: 'planner-failed', run: id, round, words: outcome.words});
      return;
    }

    // Values only: what a person reads, approves and has done is otherwise left as it is.
    const secrets = workshop.secrets();
    const propose = (found: Plan): Promise<unknown> => {
      const plan = redactTexts(found, (text) => redactValues(text, secrets));
      return report({type: 'plan-received', run: id, round, plan, hash: planHash(plan), tree});
    };

    // What it handed in through its tool was checked then; what it printed beside it does not count.
    const handed = handedPlanOf(workshop, session);
    if (handed !== undefined) {
      await propose(handed);
      return;
    }

    const {value, problems} = readPlanFromOutput(output, {
      objective: run.request.objective,
      tools: (workshop.state().project.tools ?? []).map(({name}) => name),
    });
    if (value === undefined)
      await report({
        type: 'plan-invalid',
        run: id,
        round,
        problems: problems
          .filter(({level}) => level === 'error')
          .map(({line, text}) => `line ${line}: ${text}`),
        ...lastWordsOf(outcome.words),
      });
    else await propose(value);
  };
}

/** What a person reads who wants to know why there is no plan: more often than not the planner has said it. */
function lastWordsOf(words: string): {readonly words?: string} {
  const text = words.trim();
  return text === ''
    ? {}
    : {words: text.length <= mostCharacters ? text : `…${text.slice(-mostCharacters)}`};
}

const mostCharacters = 600;
