import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {needsOf} from '../../../source/domain/index.ts';
import {textOfLine} from '../../../source/tui/model/line.ts';
import {plotOf} from '../../../source/tui/model/plot-of.ts';
import {graceMs} from '../../../source/tui/model/shown-of.ts';
import {statusLine} from '../../../source/tui/screens/bars.ts';
import {report, wish} from '../../domain/support/house.ts';
import {rules} from '../../domain/support/samples.ts';
import {
  busy,
  happen,
  open,
  planned,
  press,
  richPlan,
  tokenStory,
  type,
  type Stage,
} from '../screens/scenes.ts';

describe('a plan:', () => {
  test('is approved by A, with what was shown', () => {
    const stage = atPlan();
    press(stage, 'A');
    assert.deepEqual(stage.wishes, [
      {type: 'approve-plan', run: 'r1', plan: '3f2a9c01d4e5b6a7', rules: rules.hash, base: 'base'},
    ]);
    happen(stage, {
      type: 'wish-granted',
      wish: {type: 'approve-plan', run: 'r1', plan: '', rules: '', base: ''},
      answer: {},
    });
    assert.equal(stage.model.screen, 'workers');
  });

  test('is not approved by any other key', () => {
    const stage = atPlan();
    const keys = [
      ...Array.from('abdfghijklmnoprstuvwxyzBCDEFGHIJKLMNOPQRSTUVWYZ0123456789'),
      'enter',
      'space',
      'tab',
      'escape',
      'ctrl-a',
    ];
    for (const key of keys) {
      const fresh = atPlan();
      press(fresh, key);
      assert.deepEqual(fresh.wishes, [], key);
    }

    assert.equal(stage.wishes.length, 0);
  });

  test('that changed under the fingers is not approved by the key that was on its way; a moment later it is', () => {
    const house = planned();
    const stage = atPlan(house);
    wish(house, {
      type: 'edit-plan',
      run: 'r1',
      plan: {...richPlan, problem: 'Another one.'},
      hash: 'other',
    });
    stage.state = house.state;
    happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
    stage.now -= 1000;
    press(stage, 'A');
    assert.deepEqual(stage.wishes, []);
    assert.match(stage.model.notice?.words ?? '', /just changed/);
    stage.now += graceMs;
    press(stage, 'A');
    assert.deepEqual(
      stage.wishes.map((one) => (one as {plan: string}).plan),
      ['other'],
    );
  });

  test('is rejected with a reason, and not without one', () => {
    const stage = atPlan();
    press(stage, 'X', 'enter');
    assert.deepEqual(stage.wishes, []);
    type(stage, 'Too large');
    press(stage, 'enter');
    assert.deepEqual(stage.wishes, [
      {type: 'reject-plan', run: 'r1', plan: '3f2a9c01d4e5b6a7', reason: 'Too large'},
    ]);
  });

  test('is edited in the editor; what comes back is checked', () => {
    const stage = atPlan();
    press(stage, 'e');
    const effect = stage.effects.at(-1);
    assert.ok(effect?.type === 'edit' && effect.name === 'r1-plan.yaml');
    happen(stage, {type: 'edited', name: effect.name, text: effect.text});
    assert.equal(stage.wishes.length, 0);
    happen(stage, {type: 'edited', name: effect.name, text: 'tasks: nothing'});
    assert.match(stage.model.notice?.words ?? '', /^Not a plan yet; e opens your text again/);
    press(stage, 'e');
    assert.deepEqual(stage.effects.at(-1), {...effect, text: 'tasks: nothing'});
    happen(stage, {
      type: 'edited',
      name: effect.name,
      text: effect.text.replace('Count refreshes', 'Count them'),
    });
    assert.equal((stage.wishes[0] as {plan: typeof richPlan}).plan.tasks[2]?.title, 'Count them');
  });
});

describe('what needs the person:', () => {
  test('comes oldest first, round and round, forwards and back', () => {
    const {house, now} = tokenStory();
    const stage = open(house.state, now);
    const seen = ['n', 'n', 'n', 'N'].map((key) => {
      press(stage, key);
      return stage.model.need?.kind;
    });
    assert.deepEqual(seen, ['stopped', 'question', 'stopped', 'question']);
    assert.deepEqual(
      needsOf(house.state).map(({kind}) => kind),
      ['stopped', 'question'],
    );
  });

  test('stays in view when it is settled and when others come, until the person goes on', () => {
    const {house, now} = tokenStory();
    const stage = open(house.state, now);
    press(stage, 'n');
    const {need} = stage.model;
    wish(house, {type: 'grant-attempt', task: 'r1.t2'});
    stage.state = house.state;
    happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
    assert.deepEqual(stage.model.need, need);
    // Its keys are gone with it.
    press(stage, 'D', 'T', 'G');
    assert.deepEqual(
      [stage.wishes, stage.model.asking, stage.model.field],
      [[], undefined, undefined],
    );
    press(stage, 'enter');
    assert.equal(stage.model.need?.kind, 'question');
  });

  test('a question is answered by number, or in words', () => {
    const {house, now} = tokenStory();
    const stage = open(house.state, now);
    press(stage, 'n', 'n', '1');
    press(stage, 'enter');
    type(stage, 'no way');
    press(stage, 'enter');
    assert.deepEqual(stage.wishes, [
      {type: 'send-input', session: 's14', text: 'y\r'},
      {type: 'send-input', session: 's14', text: 'no way\r'},
    ]);
    assert.equal(stage.model.notice?.words, 'Sent to r1.t3.');
  });

  test('a question without offered answers names no numbers for them', () => {
    const {house, now} = tokenStory();
    report(house, {type: 'person-asked', session: 's14', question: 'Which store?'});
    const stage = open(house.state, now);
    press(stage, 'n');
    while (stage.model.need?.kind !== 'question') press(stage, 'n');
    assert.match(textOfLine(statusLine({...stage, size: stage.model.size})), /^ Enter write/);
  });

  test('that a run has come home is said when it has', () => {
    const {house, now} = tokenStory();
    const stage = open(house.state, now);
    happen(stage, {
      type: 'event-heard',
      event: {type: 'run-accepted', at: now, run: 'r1', commit: 'c'},
    });
    assert.equal(stage.model.notice?.words, 'r1 is in your branch.');
  });

  test('what an agent itself asks is answered, not typed: by the number of an option, or in words', () => {
    const {house, now} = tokenStory();
    report(house, {
      type: 'person-asked',
      session: 's14',
      question: 'Which store?',
      options: ['memory', 'disk'],
    });
    const stage = open(house.state, now);
    press(stage, 'n');
    while (stage.model.need?.kind !== 'question') press(stage, 'n');
    assert.deepEqual([stage.model.need.asked, stage.model.need.options], [1, ['memory', 'disk']]);
    press(stage, '2', '3', 'enter');
    type(stage, 'both');
    press(stage, 'enter');
    assert.deepEqual(stage.wishes, [
      {type: 'answer-question', session: 's14', number: 1, text: 'disk'},
      {type: 'answer-question', session: 's14', number: 1, text: 'both'},
    ]);
  });

  test('a secret never comes into the model: its keys go to the pane', () => {
    const house = busy();
    const stage = open(house.state, house.time);
    press(stage, 'n', 'enter');
    assert.deepEqual(
      [stage.model.mode, stage.model.into, stage.model.field],
      ['typing', 's3', undefined],
    );
    assert.equal(plotOf(stage.model.size, stage.model, stage.state).panes[0]?.session, 's3');
  });

  test('a task that stopped is granted with a hint, taken over, or discarded after one more question', () => {
    const {house, now} = tokenStory();
    const stage = open(house.state, now);
    press(stage, 'n', 'G');
    type(stage, 'see docs');
    press(stage, 'enter', 'T', 'D');
    assert.equal(stage.model.asking?.question, 'Discard r1.t2?');
    assert.match(stage.model.asking.lines.join(' '), /kept in a ref/);
    press(stage, 'n', 'D', 'y');
    assert.deepEqual(stage.wishes, [
      {type: 'grant-attempt', task: 'r1.t2', hint: 'see docs'},
      {type: 'take-over', task: 'r1.t2'},
      {type: 'discard', what: 'r1.t2'},
    ]);
  });

  test('what was taken over goes back to be checked, or to its agent with a note or without', () => {
    const {house, now} = tokenStory();
    wish(house, {type: 'take-over', task: 'r1.t2'});
    const stage = open(house.state, now);
    press(stage, 'escape');
    const selected = {...stage.model, selected: 'r1.t2' as const, screen: 'workers' as const};
    const taken = {...stage, model: selected};
    press(taken, 'L');
    assert.equal(taken.model.field?.for.what, 'hand-to-agent');
    type(taken, 'see docs');
    press(taken, 'enter', 'L', 'enter', 'H');
    assert.deepEqual(taken.wishes, [
      {type: 'hand-back', task: 'r1.t2', to: 'agent', note: 'see docs'},
      {type: 'hand-back', task: 'r1.t2', to: 'agent'},
      {type: 'hand-back', task: 'r1.t2'},
    ]);
  });

  test('its agent goes on only with what a person has taken over', () => {
    const {house, now} = tokenStory();
    const stage = open(house.state, now);
    stage.model = {...stage.model, selected: 'r1.t2', screen: 'workers'};
    press(stage, 'L');
    assert.deepEqual(
      [stage.wishes, stage.model.field, stage.model.notice?.words],
      [[], undefined, 'Choose a task that you have taken over.'],
    );
  });

  test('discarding says what is discarded with it', () => {
    const {house, now} = tokenStory();
    const stage = open(house.state, now);
    press(stage, 'enter', 'g', 'down', 'down', 'down', 'D');
    assert.deepEqual(
      stage.model.asking?.lines[0],
      'Discarded with it, because they build on it: t4.',
    );
  });

  test('rings once for each, as the person wants it', () => {
    const house = busy();
    const stage = open(house.state, house.time);
    stage.effects.length = 0;
    report(house, {
      type: 'session-waiting',
      session: 's2',
      proof: 'proven',
      secret: false,
      question: 'Which port?',
    });
    stage.state = house.state;
    for (let times = 0; times < 3; times++)
      happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
    assert.deepEqual(stage.effects, [{type: 'ring'}]);
  });

  test('the focus follows it only if that is wanted, and never away from a line that is being written', () => {
    const ask = (stage: Stage, house: ReturnType<typeof busy>): string => {
      report(house, {
        type: 'session-waiting',
        session: 's2',
        proof: 'proven',
        secret: false,
        question: 'Which port?',
      });
      stage.state = house.state;
      happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
      return stage.model.selected;
    };

    const [plain, following, writing] = [busy(), busy(), busy()].map((house) => ({
      house,
      stage: open(house.state, house.time),
    }));
    for (const {stage} of [plain!, following!, writing!]) press(stage, 'enter', '2');
    press(following!.stage, 'F');
    press(writing!.stage, 'F', '/');
    assert.deepEqual(
      [
        ask(plain!.stage, plain!.house),
        ask(following!.stage, following!.house),
        ask(writing!.stage, writing!.house),
      ],
      ['r1.t2', 'r1.t1', 'r1.t2'],
    );
  });
});

function atPlan(house = planned()): Stage {
  const stage = open(house.state, house.time + 60_000);
  press(stage, 'enter', 'p');
  stage.effects.length = 0;
  return stage;
}
