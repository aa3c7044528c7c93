import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {
  isListed,
  needsOf,
  serviceOf,
  sessionOf,
  taskOf,
  worktreeOwnerOf,
  type Project,
  type ServiceSpec,
  type TaskId,
} from '../../source/domain/index.ts';
import {createHouse, report, wantedKeys, wish, type House} from './support/house.ts';
import {change, passed, plannedTask} from './support/samples.ts';
import {
  buildMerge,
  check,
  makeWorktree,
  runToExit,
  startSession,
  typesOf,
  work,
  working,
} from './support/stages.ts';

const web: ServiceSpec = {name: 'web', command: 'npm start', per: 'task', ready: {by: 'port'}};
const tasks = [plannedTask('t1', {services: ['web']}), plannedTask('t2', {services: ['web']})];

function begun(project: Partial<Project> = {}): House {
  return working(tasks, {}, {services: [web], ...project});
}

/** The session of an instance comes up and is ready. */
function serve(house: House, name: string): `s${number}` {
  const stage = serviceOf(house.state, name)?.stage;
  if (stage?.at !== 'up') throw new Error(`${name} is ${stage?.at ?? 'not there'}`);
  startSession(house, stage.session);
  report(
    house,
    {type: 'service-observed', service: name, condition: 'ready'},
    `service/${name}/watch/${stage.session}`,
  );
  return stage.session;
}

const instances = (house: House): string[] =>
  house.state.services
    .filter(({spec}) => spec.owner !== undefined)
    .map(({spec}) => `${spec.name}:${spec.port ?? ''}`);
const stepOf = (house: House, task: TaskId): string => taskOf(house.state, task)!.stage.at;

describe('a service that each task has for itself', () => {
  it('is declared, wanted and started when the worktree is there, each at a port of its own; the attempt waits until it is ready', () => {
    const house = begun();
    assert.deepEqual(instances(house), []);
    assert.deepEqual(typesOf(makeWorktree(house, 'r1.t1')), [
      'worktree-made',
      'service-declared',
      'service-wanted',
      'session-asked',
    ]);
    makeWorktree(house, 'r1.t2');
    assert.deepEqual(instances(house), ['web@r1.t1:4011', 'web@r1.t2:4021']);
    assert.equal(serviceOf(house.state, 'web')?.desire, 'none');
    assert.equal(stepOf(house, 'r1.t1'), 'preparing');
    const session = serve(house, 'web@r1.t1');
    assert.equal(worktreeOwnerOf(sessionOf(house.state, session)!), 'r1.t1');
    assert.deepEqual([stepOf(house, 'r1.t1'), stepOf(house, 'r1.t2')], ['attempting', 'preparing']);
  });

  it('comes after setup, whose work it may need', () => {
    const house = begun({setup: 'npm ci'});
    makeWorktree(house, 'r1.t1');
    assert.deepEqual(instances(house), []);
    const {stage} = taskOf(house.state, 'r1.t1')!;
    runToExit(house, stage.at === 'preparing' ? stage.setup! : 's0');
    assert.deepEqual(instances(house), ['web@r1.t1:4011']);
  });

  it('ends with its task: green, stopped, held or discarded', () => {
    const endings: readonly (readonly [string, (house: House) => void])[] = [
      [
        'held',
        (house) => {
          wish(house, {type: 'stop', what: 'r1.t1'});
        },
      ],
      [
        'discarded',
        (house) => {
          wish(house, {type: 'discard', what: 'r1.t1'});
        },
      ],
      [
        'discarded with its run',
        (house) => {
          wish(house, {type: 'discard', what: 'r1'});
        },
      ],
      [
        'green',
        (house) => {
          work(house, 'r1.t1');
          check(house, 'r1.t1', passed('test', 'npm test'));
          check(house, 'r1.t1', passed('build'));
          report(
            house,
            {type: 'change-committed', task: 'r1.t1', attempt: 1, commit: 'c1'},
            `r1.t1.a1/commit/${change.tree}`,
          );
        },
      ],
    ];
    for (const [what, end] of endings) {
      const house = begun();
      makeWorktree(house, 'r1.t1');
      const session = serve(house, 'web@r1.t1');
      end(house);
      assert.ok(wantedKeys(house).includes(`${session}/stop`), what);
      // Nothing is removed as long as it lives.
      assert.equal(wantedKeys(house).includes('r1.t1/remove'), false, what);
      report(house, {type: 'session-exited', session, code: null, signal: 'SIGTERM'});
      const service = serviceOf(house.state, 'web@r1.t1')!;
      assert.deepEqual(
        [service.stage.at, service.desire, isListed(service)],
        ['down', 'none', false],
        what,
      );
    }
  });

  it('runs for a merge while that is checked, and not while the next one is built', () => {
    const house = working([tasks[0]!], {}, {services: [web]});
    makeWorktree(house, 'r1.t1');
    const own = serve(house, 'web@r1.t1');
    work(house, 'r1.t1');
    check(house, 'r1.t1', passed('test', 'npm test'));
    check(house, 'r1.t1', passed('build'));
    report(
      house,
      {type: 'change-committed', task: 'r1.t1', attempt: 1, commit: 'c1'},
      `r1.t1.a1/commit/${change.tree}`,
    );
    report(house, {type: 'session-exited', session: own, code: null, signal: 'SIGTERM'});
    buildMerge(house, 'r1.t1');
    assert.deepEqual(instances(house), ['web@r1.t1:4011', 'web@r1.merge:4001']);
    const {stage} = taskOf(house.state, 'r1.t1')!;
    assert.equal(
      stage.at === 'merging' && stage.step.at === 'checking' && stage.step.session === undefined,
      true,
      'no check before it is ready',
    );
    const session = serve(house, 'web@r1.merge');
    check(house, 'r1.t1', passed('test', 'npm test'));
    check(house, 'r1.t1', passed('build'));
    assert.ok(wantedKeys(house).includes(`${session}/stop`));
  });

  it('obeys the limits of any service, and one that fails is a need of its own', () => {
    const house = begun();
    makeWorktree(house, 'r1.t1');
    for (let start = 1; start <= 5; start++) {
      const {stage} = serviceOf(house.state, 'web@r1.t1')!;
      if (stage.at === 'backing-off') {
        house.time = stage.until;
        report(house, {type: 'time-passed'}, `service/web@r1.t1/back-off/${stage.until}`);
      }

      const up = serviceOf(house.state, 'web@r1.t1')!.stage;
      runToExit(house, up.at === 'up' ? up.session : 's0', 1);
    }

    assert.deepEqual(
      needsOf(house.state).map((need) => ('service' in need ? need.service : need.kind)),
      ['web@r1.t1'],
    );
    assert.match(
      wish(house, {type: 'restart-service', service: 'web'}).refused ?? '',
      /each task has its own web; name one: web@r1\.t1/,
    );
    wish(house, {type: 'restart-service', service: 'web@r1.t1'});
    serve(house, 'web@r1.t1');
    assert.equal(stepOf(house, 'r1.t1'), 'attempting');
    wish(house, {type: 'discard', what: 'r1.t1'});
    assert.match(
      wish(house, {type: 'start-service', service: 'web@r1.t1'}).refused ?? '',
      /runs only while its task is worked on/,
    );
  });

  it('that a person stopped stays stopped, and its task asks for it', () => {
    const house = begun();
    makeWorktree(house, 'r1.t1');
    wish(house, {type: 'stop-service', service: 'web@r1.t1'});
    assert.deepEqual(
      needsOf(house.state).map((need) => [need.kind, 'service' in need ? need.service : '']),
      [['service-missing', 'web@r1.t1']],
    );
    assert.deepEqual(
      typesOf(wish(house, {type: 'start-service', service: 'web@r1.t1'})).slice(0, 1),
      ['service-wanted'],
    );
  });

  it("is an agent's own by the name of the plan: stopping it starts it anew, and nobody reaches another task's", () => {
    const house = begun();
    makeWorktree(house, 'r1.t1');
    makeWorktree(house, 'r1.t2');
    const before = serve(house, 'web@r1.t1');
    serve(house, 'web@r1.t2');
    const attempt = taskOf(house.state, 'r1.t1')!.attempts[0]!.step;
    const agent = attempt.at === 'working' ? attempt.session : 's0';
    startSession(house, agent);
    assert.match(
      report(house, {type: 'service-told', session: agent, service: 'web@r1.t2', want: 'down'})
        .refused ?? '',
      /there is no service "web@r1\.t2"; declared are web/,
    );
    assert.deepEqual(
      typesOf(report(house, {type: 'service-told', session: agent, service: 'web', want: 'down'})),
      ['service-stopped', 'service-went-down', 'service-wanted'],
    );
    report(house, {type: 'session-exited', session: before, code: null, signal: 'SIGTERM'});
    const {stage} = serviceOf(house.state, 'web@r1.t1')!;
    assert.equal(stage.at === 'up' && stage.session !== before, true);
  });

  it('is refused with a sentence where there is no port left, or where it would lead around a restricted network', () => {
    for (const [project, words] of [
      [{ports: {from: 4000, perTask: 1}}, /there is no port left for it in the block of r1\.t1/],
      [{network: {workers: 'none' as const}}, /restricts the network of workers or checks/],
    ] as const) {
      const house = begun(project);
      makeWorktree(house, 'r1.t1');
      const [need] = needsOf(house.state);
      assert.match(JSON.stringify(need), words);
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
      const house = createHouse(whole.events.slice(0, length), whole.time);
      report(house, {type: 'time-passed'});
      assert.deepEqual(
        house.state.services
          .filter(({spec}) => spec.owner !== undefined)
          .map(({spec, desire, stage}) => [spec.name, desire, stage.at]),
        [['web@r1.t1', 'wanted', 'up']],
        String(length),
      );
      assert.equal(
        house.state.live.filter((id) => sessionOf(house.state, id)?.purpose.for === 'service')
          .length,
        1,
        String(length),
      );
    }
  });
});
