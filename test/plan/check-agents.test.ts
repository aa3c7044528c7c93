import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {
  formatPlanFile,
  formatPlanText,
  parsePlan,
  parsePlanFile,
  type PlanContext,
  type PlanParseResult,
  planHash,
  setTaskAgent,
} from '../../source/plan/index.ts';
import {planText, task} from '../support/plan-text.ts';

const context: PlanContext = {
  objective: 'x',
  agents: {
    worker: 'claude',
    available: ['claude', 'codex', 'mine'],
    missing: ['gemini'],
    modelProblem: (agent, model) =>
      agent === 'mine' && model !== undefined ? 'mine takes no model' : undefined,
  },
};

const parse = (more: Readonly<Record<string, unknown>>): PlanParseResult =>
  parsePlan(planText({tasks: [task(more)]}), context);

describe('the agent and the model of a task', () => {
  it('are parsed, and shown with the task', () => {
    const {value, problems} = parse({agent: 'codex', model: 'gpt-9'});
    assert.deepEqual(problems, []);
    const plan = value ?? assert.fail();
    assert.deepEqual(
      plan.tasks.map(({agent, model}) => [agent, model]),
      [['codex', 'gpt-9']],
    );
    assert.match(formatPlanText(plan), /agent: codex\n.*model: gpt-9/);
  });

  for (const [name, more, expected] of [
    [
      'an unknown agent',
      {agent: 'codes'},
      'tasks[0].agent: "codes" is not an agent here. Did you mean "codex"? A task may name: claude, codex, mine.',
    ],
    [
      'an agent that is not installed',
      {agent: 'gemini'},
      'tasks[0].agent: "gemini" is not installed. A task may name: claude, codex, mine.',
    ],
    [
      'a model that its agent does not take',
      {agent: 'mine', model: 'm'},
      'tasks[0].model: mine takes no model.',
    ],
    [
      'what is no name of an agent',
      {agent: '--yolo'},
      'tasks[0].agent: expected the name of an agent (small letters, digits, "-"), got "--yolo". Change it.',
    ],
    [
      'what would be an option',
      {model: '--yolo'},
      'tasks[0].model: expected the name of a model (letters, digits and . : / @ _ -), got "--yolo". Change it.',
    ],
    [
      'an object',
      {agent: {}},
      'tasks[0].agent: expected a text in quotes, got an object. Change it.',
    ],
  ] as const)
    it(`cannot be ${name}`, () => {
      const {value, problems} = parse(more);
      assert.equal(value, undefined);
      assert.deepEqual(
        problems.map(({text}) => text),
        [expected],
      );
    });

  it("may name the run's own agent, even if it is not found", () => {
    const agents = {...(context.agents ?? assert.fail()), available: []};
    assert.deepEqual(
      parsePlan(planText({tasks: [task({agent: 'claude'})]}), {objective: 'x', agents}).problems,
      [],
    );
  });

  it('come back from the file that a person edits', () => {
    const {value} = parse({agent: 'codex', model: 'gpt-9'});
    const file = formatPlanFile(value ?? assert.fail());
    assert.deepEqual(parsePlanFile(file, context), {value, problems: []});
    const other = parsePlanFile(file.replace('agent: codex', 'agent: coder'), context);
    assert.match(
      other.problems[0]?.text ?? '',
      /"coder" is not an agent here\. Did you mean "codex"/,
    );
    assert.equal(
      other.problems[0]?.line,
      file.split('\n').findIndex((line) => line.includes('agent: codex')) + 1,
    );
  });

  it('are set and taken back for one task', () => {
    const plan = parse({}).value ?? assert.fail();
    const set = setTaskAgent(plan, 't1', {agent: 'codex', model: 'gpt-9'});
    assert.equal(set.tasks[0]?.agent, 'codex');
    assert.notEqual(planHash(set), planHash(plan));
    assert.deepEqual(setTaskAgent(set, 't1', {agent: '', model: ''}), plan);
    assert.equal(setTaskAgent(set, 't1', {model: ''}).tasks[0]?.agent, 'codex');
    assert.deepEqual(setTaskAgent(plan, 't9', {agent: 'codex'}), plan);
  });
});
