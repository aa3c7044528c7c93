import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parsePlan, parsePlanFromOutput} from '../../source/plan/index.ts';
import {planText} from '../support/plan-text.ts';

const context = {objective: 'Repair it.'};
const plan = planText();
const expected = parsePlan(plan, context);

const outputs: Readonly<Record<string, string>> = {
  'a fenced block': `\`\`\`json\n${plan}\n\`\`\``,
  'words before and after': `I looked at it.\n\n\`\`\`json\n${plan}\n\`\`\`\n\nShall I begin?\n`,
  tildes: `~~~json\n${plan}\n~~~\n`,
  'a longer fence': `\`\`\`\`\`json\n${plan}\n\`\`\`\`\``,
  'JSON in capitals and an attribute': `\`\`\` JSON title=plan\n${plan}\n\`\`\``,
  'line ends of Windows': `Look:\r\n\`\`\`json\r\n${plan.replaceAll('\n', '\r\n')}\r\n\`\`\`\r\n`,
  'an indented fence': `- Plan:\n  \`\`\`json\n${plan}\n  \`\`\`\n`,
  'an earlier draft': `\`\`\`json\n{"draft": true}\n\`\`\`\nBetter:\n\`\`\`json\n${plan}\n\`\`\``,
  'a block in another language after it': `\`\`\`json\n${plan}\n\`\`\`\n\`\`\`sh\nnpm test\n\`\`\``,
  'an earlier fence that was never closed': `\`\`\`\nnpm test\n\n\`\`\`json\n${plan}\n\`\`\``,
  'no end of the fence': `\`\`\`json\n${plan}`,
};

for (const [name, output] of Object.entries(outputs)) {
  test(`a plan is found in an output with ${name}`, () => {
    assert.deepEqual(parsePlanFromOutput(output, context), expected);
  });
}

for (const [name, output] of Object.entries({
  nothing: '',
  'only words': 'I cannot do that.',
  'another block': '```js\n{}\n```',
  'JSON without a fence': plan,
  json5: '```json5\n{}\n```',
})) {
  test(`no plan is found in ${name}, and the message explains how to send one`, () => {
    const {value, problems} = parsePlanFromOutput(output, context);
    assert.equal(value, undefined);
    assert.match(
      problems[0]!.text,
      /^Expected a plan in a fenced block .* End the answer with one\.$/,
    );
  });
}

test('an output that was cut off is a plan that is cut short', () => {
  const {value, problems} = parsePlanFromOutput(`\`\`\`json\n${plan.slice(0, 90)}`, context);
  assert.equal(value, undefined);
  assert.match(problems[0]!.text, /cut short|not closed/);
});

test('50 MB around a plan do not hide it, 50 MB inside a block are refused', () => {
  const flood = 'All work and no play.\n'.repeat(2_300_000);
  assert.deepEqual(
    parsePlanFromOutput(`${flood}\`\`\`json\n${plan}\n\`\`\`\n${flood}`, context),
    expected,
  );
  assert.match(
    parsePlanFromOutput(`\`\`\`json\n${flood}`, context).problems[0]!.text,
    /^Expected at most 256 kB/,
  );
});
