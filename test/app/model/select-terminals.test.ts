import assert from 'node:assert/strict';
import {test} from 'node:test';
import {selectLiveSessions, selectSession, type State} from '../../../source/domain/index.ts';
import {selectPaneGrid} from '../../../source/app/model/pane-grid.ts';
import {
  formatSilence,
  formatTerminal,
  selectTerminals,
} from '../../../source/app/model/select-terminals.ts';
import {userCommand} from '../../domain/support/harness.ts';
import {plannedTask} from '../../domain/support/samples.ts';
import {mergeTask, startSession, validate, working} from '../../domain/support/stages.ts';
import {draw} from '../screens/draw.tsx';
import {type Fixture, happen, open, press} from '../screens/fixtures.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';

function shownIn(fixture: Fixture): string | undefined {
  return selectPaneGrid(fixture.model, fixture.state).panes.find(({isFocused}) => isFocused)
    ?.session;
}

function getPurpose(state: State, session: string | undefined): string | undefined {
  return session === undefined
    ? undefined
    : selectSession(state, session as `s${number}`)?.purpose.for;
}

test('a task that is merged shows what its agent did; its checks are a key away, and round again', () => {
  const harness = working([plannedTask('t1', {title: 'Share the refresh in flight'})]);
  validate(harness, 'r1.t1');
  mergeTask(harness, 'r1.t1');
  const fixture = open(harness.state, harness.time, {columns: 120, rows: 35});
  press(fixture, 'enter');
  assert.equal(fixture.model.selected, 'r1');
  press(fixture, 'down');
  assert.equal(getPurpose(fixture.state, shownIn(fixture)), 'attempt');
  const all = selectTerminals(fixture.state, 'r1.t1');
  const seen = all.map(() => {
    press(fixture, 'v');
    return shownIn(fixture);
  });
  assert.deepEqual(new Set(seen), new Set(all.map(({id}) => id)));
  assert.equal(seen.at(-1), all.find(({purpose}) => purpose.for === 'attempt')?.id);
  press(fixture, 'v');
  const check = all.find(({id}) => id === shownIn(fixture));
  assert.ok(check !== undefined);
  assert.match(
    draw(fixture.model, fixture.state, fixture.now).split('\n')[2] ?? '',
    new RegExp(formatTerminal(check)),
    'it stands in the title of the pane',
  );
  press(fixture, 'up', 'down');
  assert.equal(getPurpose(fixture.state, shownIn(fixture)), 'attempt');
});

test('a terminal that is only asked for is not opened; it comes into view when it is there', () => {
  const {harness} = tokenStory();
  const fixture = open(harness.state, harness.time);
  press(fixture, 'enter');
  fixture.model = {...fixture.model, selected: 'r1.t2'};
  userCommand(harness, {type: 'take-over', task: 'r1.t2'});
  fixture.state = harness.state;
  happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
  const asked = harness.state.live.findLast(
    (id) => selectSession(harness.state, id)?.purpose.for === 'takeover',
  );
  assert.ok(asked !== undefined);
  assert.notEqual(shownIn(fixture), asked);
  startSession(harness, asked);
  fixture.state = harness.state;
  happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
  assert.equal(shownIn(fixture), asked);
  assert.match(draw(fixture.model, fixture.state, fixture.now), /H hand the task back/);
});

test('an empty pane names the command of its check, and whether it still runs', () => {
  const harness = working([plannedTask('t1')]);
  validate(harness, 'r1.t1');
  const {state} = harness;
  const check = selectTerminals(state, 'r1.t1').find(({purpose}) => purpose.for === 'check');
  const agent = selectTerminals(state, 'r1.t1').find(({purpose}) => purpose.for === 'attempt');
  assert.match(formatSilence(state, check?.id ?? 's99'), /^\S.*: ended without output$/);
  assert.equal(formatSilence(state, agent?.id ?? 's99'), 'ended without output');
  const {state: other} = tokenStory().harness;
  const live = selectLiveSessions(other).find(({purpose}) => purpose.for !== 'check');
  assert.equal(formatSilence(other, live?.id ?? 's99'), 'no output yet');
  assert.equal(formatSilence(other, 's99'), '');
});
