import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {createFailpoints} from '../../../source/daemon/engine/failpoints.ts';
import {createEffectHandler} from '../../../source/daemon/effects/effect-handler.ts';
import {eventually} from '../../support/eventually.ts';
import {allPoints, points, pointsOfRun} from '../../e2e/loop/support/points.ts';
import {createFixture} from '../../e2e/loop/support/loop-fixture.ts';

describe('failpoints', () => {
  it('do what their list says, one step for each time the point is reached, and then nothing', () => {
    const received: string[] = [];
    const reach = createFailpoints(
      'a.before=2*off->1*kill9; b.after=error',
      () => received.push('killed'),
      (point) => received.push(point),
    );
    for (let time = 0; time < 4; time++) reach('a.before');
    assert.throws(() => {
      reach('b.after');
    }, /failpoint b\.after/);
    reach('b.after');
    assert.deepEqual(received, [
      'a.before',
      'a.before',
      'a.before',
      'killed',
      'a.before',
      'b.after',
      'b.after',
    ]);
  });

  it('are nothing without the variable, and refuse what they do not know', () => {
    createFailpoints(undefined, () => {
      throw new Error('killed');
    })('a.before');
    assert.throws(
      () => createFailpoints('a=explode', () => undefined),
      /expected a failpoint such as 2\*off->1\*kill9, got "explode"/,
    );
  });

  it('are declared for every effect that there is', () => {
    assert.deepEqual(
      [allPoints.length, pointsOfRun.length, Object.keys(points).length],
      [122, 96, 28],
    );
    assert.equal(typeof createEffectHandler, 'function');
  });
});

describe('a daemon that is killed', () => {
  it('three times in the same effect sets that run aside with the effect named, and another run goes on', async (t) => {
    const fixture = createFixture(t, {});
    const life = async (failpoints: string): Promise<void> => {
      await fixture.killDaemon('SIGKILL').catch(() => undefined);
      (fixture.env as Record<string, string>)['ORCHESTRA_FAILPOINTS'] = failpoints;
    };
    await fixture.objective();
    await life('capture.before=kill9');
    await fixture.launch('plan', 'approve', 'r1');
    await eventually('it is set aside', async () => {
      await fixture.launch('status');
      return fixture.eventsOf('run-parked').length === 1;
    });
    await life('');
    assert.deepEqual(
      fixture.eventsOf('run-parked').map(({run, why}) => [run, why]),
      [['r1', {kind: 'crashing', effect: 'r1.t1.a1/capture', times: 3}]],
    );
    assert.match(fixture.run('needs').out, /r1\.t1\.a1\/capture/);
    assert.equal((await fixture.launch('run', 'Another', '--approve')).code, 0);
    assert.equal(fixture.run('resume', 'r1').code, 0);
    await fixture.until('it goes on', () =>
      fixture.eventsOf('task-merged').some(({task}) => task === 'r1.t1'),
    );
  });
});
