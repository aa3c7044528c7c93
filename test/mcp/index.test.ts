import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {copyFileSync, readFileSync} from 'node:fs';
import {before, test} from 'node:test';
import {bundleProgram} from '../support/bundle-program.ts';
import {createFixture, getPlan} from '../e2e/loop/support/loop-fixture.ts';
import {launcher} from '../daemon/support/daemon-fixture.ts';

const server = path.join(import.meta.dirname, 'programs/any-server.ts');
const orchestra = `'${process.execPath}' '${launcher}'`;
const outcome = 'echo {\\"at\\": \\"finished\\", \\"words\\": \\"done\\"} > "$2"\n';

let agent = '';
before(async () => {
  agent = await bundleProgram('test/mcp/programs/use-server.ts');
});

for (const sandbox of ['off', 'auto']) {
  test(`a plan that names a server gives it to the worker of that task, and to nobody else (sandbox: ${sandbox})`, async (t) => {
    const fixture = createFixture(t, {
      env: {SECRET_OF_MINE: 'x1-of-the-server'},
      files: {
        '.orchestra/project.yaml': [
          `sandbox: ${sandbox}`,
          'planner: pretend',
          'worker: pretend',
          'limits: {toolResultTokens: 300}',
          `tools:\n  other:\n    command: ['${process.execPath}', '${server}', kind]\n    environment: [SECRET_OF_MINE]`,
          `agents:\n  pretend:\n    plan: [sh, plan.sh, '{tools}', '{outcomeFile}']\n    work: [sh, work.sh, '{tools}', '{outcomeFile}']\n    prompt: stdin`,
          '',
        ].join('\n'),
        'plan.sh': `${orchestra} tool submit_plan "$(cat plan.json)" && ${outcome}`,
        'plan.json': JSON.stringify({
          plan: getPlan([{id: 't1', tools: ['other']}, {id: 't2'}] as never),
        }),
        'work.sh': `'${process.execPath}' use-server.mjs "$1" read '{"a": "long"}' > "\${ORCHESTRA_OWNER##*.}.txt" && ${orchestra} tool report '{"rootCause": "so it was"}' && ${outcome}`,
      },
    });
    copyFileSync(agent, path.join(fixture.root, 'use-server.mjs'));
    fixture.git('add', '--all');
    fixture.git('commit', '--quiet', '--message', 'An agent');
    const {code, out, err} = await fixture.objective('--approve');
    assert.equal(code, 0, `${out}${err}`);
    assert.equal(fixture.run('accept', 'r1').code, 0);
    const [given, none] = ['t1.txt', 't2.txt'].map((file) =>
      fixture
        .read(file)
        .trim()
        .split('\n')
        .map(
          (line) =>
            JSON.parse(line) as {name: string; tools: number; result?: {content: [{text: string}]}},
        ),
    );
    assert.deepEqual(
      given?.map(({name, tools}) => [name, tools]),
      [
        ['orchestra', 11],
        ['other', 2],
      ],
    );
    assert.deepEqual(
      none?.map(({name}) => name),
      ['orchestra'],
    );
    const text = given[1]?.result?.content[0].text ?? '';
    assert.equal(text.length <= 1200, true);
    const retained = / The full text is in (\S+):/.exec(text)?.[1] ?? '';
    assert.match(readFileSync(retained, 'utf8'), /\nline 20000$/);
    assert.deepEqual(
      fixture.eventsOf('plan-received').map(({plan}) => plan.tasks.map(({tools}) => tools)),
      [[['other'], undefined]],
    );
    assert.deepEqual(
      fixture
        .eventsOf('tool-called')
        .map(({tool}) => tool)
        .toSorted(),
      ['report', 'report', 'submit_plan'],
    );
    const audit = fixture.json('audit', '--tools') as {
      tools: {servers: {name: string; tokens: number}[]};
    };
    assert.deepEqual(
      audit.tools.servers.map(({name, tokens}) => [name, tokens > 20]),
      [
        ['orchestra (planner)', true],
        ['orchestra (worker)', true],
        ['other', true],
      ],
    );
    assert.match(
      fixture.run('audit').out,
      /\nTokens that the tools of each server add to every prompt\nSERVER +TOOL +TOKENS\n/,
    );
  });
}
