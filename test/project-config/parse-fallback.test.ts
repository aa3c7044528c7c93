import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {parseProject} from '../../source/project-config/index.ts';

const declared = 'agents:\n  mine: {plan: [mine], work: [mine], prompt: stdin}\n';

describe('the agents that replace one that is unavailable', () => {
  it('are a list in order, or one name', () => {
    const {value, problems} = parseProject(`fallback: [codex, mine, gemini]\n${declared}`);
    assert.deepEqual(problems, []);
    assert.deepEqual(value.fallback, ['codex', 'mine', 'gemini']);
    assert.deepEqual(parseProject('fallback: codex\n').value.fallback, ['codex']);
    assert.equal(parseProject('').value.fallback, undefined);
  });

  for (const [name, list, expected] of [
    [
      'an unknown one',
      '[codex, codes]',
      /^fallback\[1\]: "codes" is not an agent that can replace another\. Did you mean "codex"\? There are: mine, claude, codex, gemini, opencode, pi\. Until then it is left out\.$/,
    ],
    [
      'one that is named twice, which would be a circle',
      '[codex, mine, codex]',
      /^fallback\[2\]: "codex" is named twice; each agent is tried once for a task\. Leave one out\./,
    ],
    ['the playbook', '[playbook]', /^fallback\[0\]: "playbook" is not an agent that can replace/],
    ['what is no name', "['--yolo']", /^fallback\[0\]: expected the name of an agent/],
    ['a mapping', '{claude: codex}', /^fallback: expected a list like \[codex\], got a mapping/],
  ] as const)
    it(`cannot be ${name}; the rest counts`, () => {
      const {value, problems} = parseProject(`fallback: ${list}\n${declared}`);
      assert.equal(problems.length, 1);
      assert.match(problems[0]?.text ?? '', expected);
      assert.ok((value.fallback ?? []).every((one) => one === 'codex' || one === 'mine'));
    });
});
