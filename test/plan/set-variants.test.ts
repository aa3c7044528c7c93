import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import type {Plan} from '../../source/domain/index.ts';
import {
  formatPlanFile,
  formatPlanText,
  maxVariants,
  parsePlan,
  parsePlanFile,
  planHash,
  setTaskAgent,
  setVariants,
} from '../../source/plan/index.ts';
import {fc} from '../support/property.ts';
import {scaled} from '../support/scale.ts';
import {randomPlans, samplePlan} from './sample-plan.ts';

const context = {objective: 'x'};

/** Each task as `t1`, `t6 of t1`, with its agent and model. */
const tasksOf = ({tasks}: Plan): string[] =>
  tasks.map(({id, variantOf, agent, model}) =>
    [id, ...(variantOf === undefined ? [] : ['of', variantOf]), agent, model]
      .filter((part) => part !== undefined)
      .join(' '),
  );

describe('the variants of a task', () => {
  it('stand right after it, with new ids and an agent each', () => {
    const plan = setVariants(samplePlan, 't2', ['', 'codex', 'gemini']);
    assert.deepEqual(tasksOf(plan), [
      't1',
      't2',
      't6 of t2 codex',
      't7 of t2 gemini',
      't3',
      't4',
      't5',
    ]);
    assert.notEqual(planHash(plan), planHash(samplePlan));
  });

  it('have everything of their task but its agent', () => {
    const [, task, variant] = setVariants(samplePlan, 't2', ['claude', 'codex']).tasks;
    assert.deepEqual(task, {...samplePlan.tasks[1], agent: 'claude'});
    assert.deepEqual(variant, {...samplePlan.tasks[1], id: 't6', variantOf: 't2', agent: 'codex'});
    assert.deepEqual(variant.after, ['t1']);
  });

  it('leave the tasks after them as they are, which name the task alone', () => {
    const plan = setVariants(samplePlan, 't1', ['', '']);
    assert.deepEqual(
      plan.tasks.map(({id, after}) => [id, after]),
      [
        ['t1', []],
        ['t6', []],
        ['t2', ['t1']],
        ['t3', ['t1']],
        ['t4', ['t2', 't3']],
        ['t5', []],
      ],
    );
    const {value, problems} = parsePlan(JSON.stringify(plan), context);
    assert.deepEqual([value, problems], [plan, []]);
  });

  it('keep their ids when there are more, fewer, or others work on them', () => {
    const two = setVariants(samplePlan, 't5', ['', 'codex']);
    assert.deepEqual(tasksOf(setVariants(two, 't5', ['', 'codex', 'pi'])).slice(4), [
      't5',
      't6 of t5 codex',
      't7 of t5 pi',
    ]);
    const three = setVariants(two, 't5', ['pi', 'gemini', '']);
    assert.deepEqual(tasksOf(three).slice(4), ['t5 pi', 't6 of t5 gemini', 't7 of t5']);
    assert.deepEqual(tasksOf(setVariants(three, 't5', ['', 'pi'])).slice(4), ['t5', 't6 of t5 pi']);
  });

  it('can be named by any of them', () => {
    const two = setVariants(samplePlan, 't2', ['', 'codex']);
    assert.deepEqual(setVariants(two, 't6', ['', 'pi']), setVariants(two, 't2', ['', 'pi']));
  });

  it('are taken back by one agent alone', () => {
    const two = setVariants(samplePlan, 't2', ['', 'codex']);
    assert.deepEqual(setVariants(two, 't2', ['']), samplePlan);
    assert.deepEqual(setVariants(two, 't6', ['']), samplePlan);
    assert.equal(planHash(setVariants(two, 't2', [''])), planHash(samplePlan));
  });

  it('keep a model where the agent stays, and no other', () => {
    const two = setVariants(samplePlan, 't2', ['claude', 'codex']);
    const modelled = setTaskAgent(setTaskAgent(two, 't2', {model: 'big'}), 't6', {model: 'small'});
    const changed = setVariants(modelled, 't2', ['claude', 'gemini', 'codex']);
    assert.deepEqual(tasksOf(changed).slice(1, 4), [
      't2 claude big',
      't6 of t2 gemini',
      't7 of t2 codex',
    ]);
  });

  it('of a task that is not there change nothing', () => {
    assert.equal(setVariants(samplePlan, 't9', ['', '']), samplePlan);
  });

  it('are shown with what differs, and come back from the file that a person edits', () => {
    const plan = setVariants(samplePlan, 't2', ['', 'codex']);
    assert.match(
      formatPlanText(plan),
      /t6 .*Say when a token is refreshed\n.*after: t1\n.*variant of: t2\n.*files: docs\/auth\/\*\*\n.*skill: write-docs\n.*agent: codex\n/,
    );
    assert.equal(formatPlanText(plan).split('Add a paragraph.').length, 2, 'the brief stands once');
    assert.deepEqual(parsePlanFile(formatPlanFile(plan), context), {value: plan, problems: []});
  });

  it('of any task of any plan make a plan, and can be taken back', () => {
    fc.assert(
      fc.property(
        randomPlans,
        fc.nat(),
        fc.array(fc.constantFrom('', 'codex'), {minLength: 2, maxLength: maxVariants}),
        (plan, place, agents) => {
          const {id} = plan.tasks[place % plan.tasks.length] ?? assert.fail();
          const varied = setVariants(plan, id, agents);
          const {value, problems} = parsePlanFile(formatPlanFile(varied), context);
          assert.deepEqual({value, problems}, {value: varied, problems: []});
          const alone = setVariants(varied, id, ['']);
          assert.deepEqual(alone, setTaskAgent(plan, id, agentOf(alone, id)));
        },
      ),
      {numRuns: scaled(200)},
    );
  });
});

function agentOf({tasks}: Plan, id: string): {readonly agent: string; readonly model: string} {
  const {agent = '', model = ''} = tasks.find((task) => task.id === id) ?? assert.fail();
  return {agent, model};
}
