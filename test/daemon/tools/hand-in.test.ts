import assert from 'node:assert/strict';
import {globSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {launcher} from '../support/place.ts';
import {createStage} from '../loop/support/stage.ts';
import {createAgent, eventually, textOf} from './support/agent.ts';

const orchestra = `'${process.execPath}' '${launcher}'`;
const plan = {
  problem: 'p',
  rootCause: 'c',
  tasks: [{id: 't1', title: 'Handed in', brief: 'b', files: ['t1.txt']}],
};

test('a plan that is handed in is checked at once, and counts over what is printed', async (t) => {
  const stage = createStage(t, {
    acts: {
      plan: `
echo '{"plan": {"problem": "p", "tasks": []}}' > /dev/null
${orchestra} tool submit_plan '{"plan": {"problem": "p", "tasks": []}}' > "$HOME/first" 2>&1; echo "exit $?" >> "$HOME/first"
${orchestra} tool submit_plan '${JSON.stringify({plan})}' > "$HOME/second" 2>&1; echo "exit $?" >> "$HOME/second"
${orchestra} tool shell '{"command": "ls"}' > "$HOME/third" 2>&1
printf '\`\`\`json\\n'; cat "$HOME/plan.json"; printf '\\n\`\`\`\\n'`,
    },
  });
  const {code, out} = await stage.objective();
  assert.equal(code, 3, out);
  const said = (name: string): string => readFileSync(path.join(stage.home, name), 'utf8');
  assert.match(
    said('first'),
    /^The plan is not valid yet\. Correct this and hand it in again:\n- [^]*exit 1\n$/,
  );
  assert.match(said('second'), /^Taken: 1 task\. [^]*exit 0\n$/);
  assert.match(said('third'), /^shell is not for a planner; you have submit_plan, /);
  assert.deepEqual(
    stage.eventsOf('plan-received').map((event) => event.plan.tasks.map(({title}) => title)),
    [['Handed in']],
  );
});

test('what a worker reports stands in the summary, whatever it prints', async (t) => {
  const agent = await createAgent(t);
  assert.equal(
    await textOf(
      agent.call('report', {
        rootCause: 'The token was refreshed twice.',
        decisions: ['keep it in memory'],
      }),
    ),
    'Noted.',
  );
  assert.equal(
    await textOf(
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
  for (const words of [
    'The token was refreshed twice.',
    'keep it in memory',
    'no second cache',
    'a lock: it deadlocks',
  ])
    assert.ok(summary.includes(words), summary);
});

test('services: an agent starts, reads and stops what the project declares', async (t) => {
  const agent = await createAgent(t, {
    project: "services:\n  web:\n    command: 'echo I am up; sleep 1000'\n",
  });
  assert.match(await textOf(agent.call('service_status')), /^web: down; command: echo I am up/);
  assert.match(
    await textOf(agent.call('service_start', {service: 'web'})),
    /^web: ready, for \d+ s; started for r1\.t1; /,
  );
  assert.match(await textOf(agent.call('service_start', {service: 'web'})), /^web: ready/);
  // Without a port it is ready as soon as it runs, which may be before it says a word.
  await eventually('it has said that it is up', () => agent.outputOf('s3').includes('I am up\r\n'));
  assert.equal(await textOf(agent.call('service_logs', {service: 'web'})), 'I am up');
  assert.match(await textOf(agent.call('service_stop', {service: 'web'})), /^web: down/);
  assert.deepEqual(await agent.call('service_start', {service: 'db'}), {
    text: 'there is no service "db"; declared are web',
    isError: true,
  });
  agent.run('service', 'start', 'web');
  assert.equal(
    (await agent.call('service_stop', {service: 'web'})).text,
    'a person started web; it is theirs to stop',
  );
  agent.run('service', 'stop', 'web');
  assert.match(
    (await agent.call('service_start', {service: 'web'})).text,
    /^a person has to start web again/,
  );
});
