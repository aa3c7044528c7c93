import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {
  isListed,
  type Project,
  selectNeeds,
  selectService,
  selectSession,
  selectTask,
  selectWorktreeOwner,
  type ServiceSpec,
  type TaskId,
} from '../../source/domain/index.ts';
import {createHarness, type Harness, report, userCommand, wantedKeys} from './support/harness.ts';
import {change, passed, plannedTask} from './support/samples.ts';
import {
  buildMerge,
  check,
  getTypes,
  makeWorktree,
  runToExit,
  startSession,
  work,
  working,
} from './support/stages.ts';

const web: ServiceSpec = {name: 'web', command: 'npm start', per: 'task', ready: {by: 'port'}};
const tasks = [plannedTask('t1', {services: ['web']}), plannedTask('t2', {services: ['web']})];

function begun(project: Partial<Project> = {}): Harness {
  return working(tasks, {}, {services: [web], ...project});
}

/** The session of an instance comes up and is ready. */
function serve(harness: Harness, name: string): `s${number}` {
  const stage = selectService(harness.state, name)?.stage;
  if (stage?.at !== 'up') throw new Error(`${name} is ${stage?.at ?? 'not there'}`);
  startSession(harness, stage.session);
  report(
    harness,
    {type: 'service-observed', service: name, condition: 'ready'},
    `service/${name}/watch/${stage.session}`,
  );
  return stage.session;
}

const instances = (harness: Harness): string[] =>
  harness.state.services
    .filter(({spec}) => spec.owner !== undefined)
    .map(({spec}) => `${spec.name}:${spec.port ?? ''}`);
const parseStep = (harness: Harness, task: TaskId): string =>
  selectTask(harness.state, task)!.stage.at;

describe('a service that each task has for itself', () => {
  it('is declared, wanted and started when the worktree is there, each at a port of its own; the attempt waits until it is ready', () => {
    const harness = begun();
    assert.deepEqual(instances(harness), []);
    assert.deepEqual(getTypes(makeWorktree(harness, 'r1.t1')), [
      'worktree-made',
      'service-declared',
      'service-wanted',
      'session-asked',
    ]);
    makeWorktree(harness, 'r1.t2');
    assert.deepEqual(instances(harness), ['web@r1.t1:4011', 'web@r1.t2:4021']);
    assert.equal(selectService(harness.state, 'web')?.desire, 'none');
    assert.equal(parseStep(harness, 'r1.t1'), 'preparing');
    const session = serve(harness, 'web@r1.t1');
    assert.equal(selectWorktreeOwner(selectSession(harness.state, session)!), 'r1.t1');
    assert.deepEqual(
      [parseStep(harness, 'r1.t1'), parseStep(harness, 'r1.t2')],
      ['attempting', 'preparing'],
    );
  });

  it('comes after setup, whose work it may need', () => {
    const harness = begun({setup: 'npm ci'});
    makeWorktree(harness, 'r1.t1');
    assert.deepEqual(instances(harness), []);
    const {stage} = selectTask(harness.state, 'r1.t1')!;
    runToExit(harness, stage.at === 'preparing' ? stage.setup! : 's0');
    assert.deepEqual(instances(harness), ['web@r1.t1:4011']);
  });

  it('ends with its task: green, stopped, held or discarded', () => {
    const endings: readonly (readonly [string, (harness: Harness) => void])[] = [
      [
        'held',
        (harness) => {
          userCommand(harness, {type: 'stop', what: 'r1.t1'});
        },
      ],
      [
        'discarded',
        (harness) => {
          userCommand(harness, {type: 'discard', what: 'r1.t1'});
        },
      ],
      [
        'discarded with its run',
        (harness) => {
          userCommand(harness, {type: 'discard', what: 'r1'});
        },
      ],
      [
        'green',
        (harness) => {
          work(harness, 'r1.t1');
          check(harness, 'r1.t1', passed('test', 'npm test'));
          check(harness, 'r1.t1', passed('build'));
          report(
            harness,
            {type: 'change-committed', task: 'r1.t1', attempt: 1, commit: 'c1'},
            `r1.t1.a1/commit/${change.tree}`,
          );
        },
      ],
    ];
    for (const [what, end] of endings) {
      const harness = begun();
      makeWorktree(harness, 'r1.t1');
      const session = serve(harness, 'web@r1.t1');
      end(harness);
      assert.ok(wantedKeys(harness).includes(`${session}/stop`), what);
      // Nothing is removed as long as it lives.
      assert.equal(wantedKeys(harness).includes('r1.t1/remove'), false, what);
      report(harness, {type: 'session-exited', session, code: null, signal: 'SIGTERM'});
      const service = selectService(harness.state, 'web@r1.t1')!;
      assert.deepEqual(
        [service.stage.at, service.desire, isListed(service)],
        ['down', 'none', false],
        what,
      );
    }
  });

  it('runs for a merge while that is checked, and not while the next one is built', () => {
    const harness = working([tasks[0]!], {}, {services: [web]});
    makeWorktree(harness, 'r1.t1');
    const own = serve(harness, 'web@r1.t1');
    work(harness, 'r1.t1');
    check(harness, 'r1.t1', passed('test', 'npm test'));
    check(harness, 'r1.t1', passed('build'));
    report(
      harness,
      {type: 'change-committed', task: 'r1.t1', attempt: 1, commit: 'c1'},
      `r1.t1.a1/commit/${change.tree}`,
    );
    report(harness, {type: 'session-exited', session: own, code: null, signal: 'SIGTERM'});
    buildMerge(harness, 'r1.t1');
    assert.deepEqual(instances(harness), ['web@r1.t1:4011', 'web@r1.merge:4001']);
    const {stage} = selectTask(harness.state, 'r1.t1')!;
    assert.equal(
      stage.at === 'merging' && stage.step.at === 'checking' && stage.step.session === undefined,
      true,
      'no check before it is ready',
    );
    const session = serve(harness, 'web@r1.merge');
    check(harness, 'r1.t1', passed('test', 'npm test'));
    check(harness, 'r1.t1', passed('build'));
    assert.ok(wantedKeys(harness).includes(`${session}/stop`));
  });

  it('obeys the limits of any service, and one that fails is a need of its own', () => {
    const harness = begun();
    makeWorktree(harness, 'r1.t1');
    for (let start = 1; start <= 5; start++) {
      const {stage} = selectService(harness.state, 'web@r1.t1')!;
      if (stage.at === 'backing-off') {
        harness.time = stage.until;
        report(harness, {type: 'time-passed'}, `service/web@r1.t1/back-off/${stage.until}`);
      }

      const up = selectService(harness.state, 'web@r1.t1')!.stage;
      runToExit(harness, up.at === 'up' ? up.session : 's0', 1);
    }

    assert.deepEqual(
      selectNeeds(harness.state).map((need) => ('service' in need ? need.service : need.kind)),
      ['web@r1.t1'],
    );
    assert.match(
      userCommand(harness, {type: 'restart-service', service: 'web'}).refused ?? '',
      /each task has its own web; name one: web@r1\.t1/,
    );
    userCommand(harness, {type: 'restart-service', service: 'web@r1.t1'});
    serve(harness, 'web@r1.t1');
    assert.equal(parseStep(harness, 'r1.t1'), 'attempting');
    userCommand(harness, {type: 'discard', what: 'r1.t1'});
    assert.match(
      userCommand(harness, {type: 'start-service', service: 'web@r1.t1'}).refused ?? '',
      /runs only while its task is in progress/,
    );
  });

  it('that a person stopped stays stopped, and its task asks for it', () => {
    const harness = begun();
    makeWorktree(harness, 'r1.t1');
    userCommand(harness, {type: 'stop-service', service: 'web@r1.t1'});
    assert.deepEqual(
      selectNeeds(harness.state).map((need) => [need.kind, 'service' in need ? need.service : '']),
      [['service-missing', 'web@r1.t1']],
    );
    assert.deepEqual(
      getTypes(userCommand(harness, {type: 'start-service', service: 'web@r1.t1'})).slice(0, 1),
      ['service-wanted'],
    );
  });

  it("is an agent's own by the name of the plan: stopping it starts it anew, and nobody reaches another task's", () => {
    const harness = begun();
    makeWorktree(harness, 'r1.t1');
    makeWorktree(harness, 'r1.t2');
    const before = serve(harness, 'web@r1.t1');
    serve(harness, 'web@r1.t2');
    const attempt = selectTask(harness.state, 'r1.t1')!.attempts[0]!.step;
    const agent = attempt.at === 'working' ? attempt.session : 's0';
    startSession(harness, agent);
    assert.match(
      report(harness, {type: 'service-told', session: agent, service: 'web@r1.t2', want: 'down'})
        .refused ?? '',
      /there is no service "web@r1\.t2"; there are web/,
    );
    assert.deepEqual(
      getTypes(
        report(harness, {type: 'service-told', session: agent, service: 'web', want: 'down'}),
      ),
      ['service-stopped', 'service-went-down', 'service-wanted'],
    );
    report(harness, {type: 'session-exited', session: before, code: null, signal: 'SIGTERM'});
    const {stage} = selectService(harness.state, 'web@r1.t1')!;
    assert.equal(stage.at === 'up' && stage.session !== before, true);
  });

  it('is refused with a sentence where there is no port left, or where it would lead around a restricted network', () => {
    for (const [project, text] of [
      [{ports: {from: 4000, perTask: 1}}, /the port block of r1\.t1 has no free port/],
      [{network: {workers: 'none' as const}}, /restricts the network of workers or checks/],
    ] as const) {
      const harness = begun(project);
      makeWorktree(harness, 'r1.t1');
      const [need] = selectNeeds(harness.state);
      assert.match(JSON.stringify(need), text);
    }
  });

  it('goes on wherever the journal was cut', () => {
    const whole = begun();
    makeWorktree(whole, 'r1.t1');
    serve(whole, 'web@r1.t1');
    const made =
      whole.events.findIndex((event) => event.type === 'worktree-made' && event.owner === 'r1.t1') +
      1;
    for (let length = made; length <= whole.events.length; length++) {
      const harness = createHarness(whole.events.slice(0, length), whole.time);
      report(harness, {type: 'time-passed'});
      assert.deepEqual(
        harness.state.services
          .filter(({spec}) => spec.owner !== undefined)
          .map(({spec, desire, stage}) => [spec.name, desire, stage.at]),
        [['web@r1.t1', 'wanted', 'up']],
        String(length),
      );
      assert.equal(
        harness.state.live.filter(
          (id) => selectSession(harness.state, id)?.purpose.for === 'service',
        ).length,
        1,
        String(length),
      );
    }
  });
});
