import assert from 'node:assert/strict';
import path from 'node:path';
import {globSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {launcher} from '../support/daemon-fixture.ts';
import {createFixture} from '../../e2e/loop/support/loop-fixture.ts';
import {createAgent, toText} from './support/agent.ts';
import {eventually} from '../../support/eventually.ts';

const orchestra = `'${process.execPath}' '${launcher}'`;
const plan = {
  problem: 'p',
  rootCause: 'c',
  tasks: [{id: 't1', title: 'Handed in', brief: 'b', files: ['t1.txt']}],
};

test('a plan that is handed in is checked at once, and counts over what is printed', async (t) => {
  const fixture = createFixture(t, {
    acts: {
      plan: `
echo '{"plan": {"problem": "p", "tasks": []}}' > /dev/null
${orchestra} tool submit_plan '{"plan": {"problem": "p", "tasks": []}}' > "$HOME/first" 2>&1; echo "exit $?" >> "$HOME/first"
${orchestra} tool submit_plan '${JSON.stringify({plan})}' > "$HOME/second" 2>&1; echo "exit $?" >> "$HOME/second"
${orchestra} tool shell '{"command": "ls"}' > "$HOME/third" 2>&1
printf '\`\`\`json\\n'; cat "$HOME/plan.json"; printf '\\n\`\`\`\\n'`,
    },
  });
  const {code, out} = await fixture.objective();
  assert.equal(code, 3, out);
  const text = (name: string): string => readFileSync(path.join(fixture.home, name), 'utf8');
  assert.match(
    text('first'),
    /^The plan is not valid yet\. Correct this and hand it in again:\n- [^]*exit 1\n$/,
  );
  assert.match(text('second'), /^Accepted: 1 task\. [^]*exit 0\n$/);
  assert.match(text('third'), /^shell is not for a planner; you have submit_plan, /);
  assert.deepEqual(
    fixture.eventsOf('plan-received').map((event) => event.plan.tasks.map(({title}) => title)),
    [['Handed in']],
  );
});

test('what a worker reports stands in the summary, whatever it prints', async (t) => {
  const agent = await createAgent(t);
  assert.equal(
    await toText(
      agent.call('report', {
        rootCause: 'The token was refreshed twice.',
        decisions: ['keep it in memory'],
      }),
    ),
    'Noted.',
  );
  assert.equal(
    await toText(
      agent.call('report', {
        decisions: ['no second cache'],
        rejected: [{what: 'a lock', why: 'it deadlocks'}],
      }),
    ),
    'Noted.',
  );
  agent.letGo();
  await agent.until('its summary is written', () =>
    agent.eventsOf('summary-written').some(({task}) => task === 'r1.t1'),
  );
  const [file = ''] = globSync('.orchestra/knowledge/*r1-t1.md', {cwd: agent.root});
  const summary = agent.read(file);
  for (const text of [
    'The token was refreshed twice.',
    'keep it in memory',
    'no second cache',
    'a lock: it deadlocks',
  ])
    assert.ok(summary.includes(text), summary);
});

test('services: an agent starts, reads and stops what the project declares', async (t) => {
  const agent = await createAgent(t, {
    project: "services:\n  web:\n    command: 'echo I am up; sleep 1000'\n",
  });
  assert.match(await toText(agent.call('service_status')), /^web: down; command: echo I am up/);
  assert.match(
    await toText(agent.call('service_start', {service: 'web'})),
    /^web: ready, for \d+ s; started for r1\.t1; /,
  );
  assert.match(await toText(agent.call('service_start', {service: 'web'})), /^web: ready/);
  // Without a port it is ready as soon as it runs, which may be before it says a word.
  await eventually('it has said that it is up', () => agent.outputOf('s3').includes('I am up\r\n'));
  assert.equal(await toText(agent.call('service_logs', {service: 'web'})), 'I am up');
  assert.match(await toText(agent.call('service_stop', {service: 'web'})), /^web: down/);
  assert.deepEqual(await agent.call('service_start', {service: 'db'}), {
    text: 'there is no service "db"; there are web',
    isError: true,
  });
  agent.run('service', 'start', 'web');
  assert.equal(
    (await agent.call('service_stop', {service: 'web'})).text,
    'a person started web; only a person can stop it',
  );
  agent.run('service', 'stop', 'web');
  assert.match(
    (await agent.call('service_start', {service: 'web'})).text,
    /^only a person can start web again/,
  );
});
