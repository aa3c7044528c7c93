import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {selectNeeds} from '../../../source/domain/index.ts';
import {toUiState} from '../../../source/app/model/create-model.ts';
import {selectPaneGrid} from '../../../source/app/model/pane-grid.ts';
import {guardDelayMs} from '../../../source/app/model/action.ts';
import {report, userCommand} from '../../domain/support/harness.ts';
import {rules} from '../../domain/support/samples.ts';
import {
  busy,
  type Fixture,
  happen,
  open,
  planned,
  press,
  richPlan,
  type,
} from '../screens/fixtures.ts';
import {drawCells} from '../screens/draw.tsx';
import {tokenStory} from '../../reports/runs/token-story.ts';

describe('a plan:', () => {
  test('is approved by A, with what was shown', () => {
    const fixture = atPlan();
    press(fixture, 'A');
    assert.deepEqual(fixture.commands, [
      {type: 'approve-plan', run: 'r1', plan: '3f2a9c01d4e5b6a7', rules: rules.hash, base: 'base'},
    ]);
    happen(fixture, {
      type: 'wish-granted',
      wish: {type: 'approve-plan', run: 'r1', plan: '', rules: '', base: ''},
      answer: {},
    });
    assert.equal(fixture.model.screen, 'workers');
  });

  test('is not approved by any other key', () => {
    const fixture = atPlan();
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
      assert.deepEqual(fresh.commands, [], key);
    }

    assert.equal(fixture.commands.length, 0);
  });

  test('that changed under the fingers is not approved by the key that was on its way; a moment later it is', () => {
    const harness = planned();
    const fixture = atPlan(harness);
    userCommand(harness, {
      type: 'edit-plan',
      run: 'r1',
      plan: {...richPlan, problem: 'Another one.'},
      hash: 'other',
    });
    fixture.state = harness.state;
    happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
    fixture.now -= 1000;
    press(fixture, 'A');
    assert.deepEqual(fixture.commands, []);
    assert.match(fixture.model.notice?.text ?? '', /just changed/);
    fixture.now += guardDelayMs;
    press(fixture, 'A');
    assert.deepEqual(
      fixture.commands.map((one) => (one as {plan: string}).plan),
      ['other'],
    );
  });

  test('is rejected with a reason, and not without one', () => {
    const fixture = atPlan();
    press(fixture, 'X', 'enter');
    assert.deepEqual(fixture.commands, []);
    type(fixture, 'Too large');
    press(fixture, 'enter');
    assert.deepEqual(fixture.commands, [
      {type: 'reject-plan', run: 'r1', plan: '3f2a9c01d4e5b6a7', reason: 'Too large'},
    ]);
  });

  test('is edited in the editor; what comes back is checked', () => {
    const fixture = atPlan();
    press(fixture, 'e');
    const effect = fixture.effects.at(-1);
    assert.ok(effect?.type === 'edit' && effect.name === 'r1-plan.yaml');
    happen(fixture, {type: 'edited', name: effect.name, text: effect.text});
    assert.equal(fixture.commands.length, 0);
    happen(fixture, {type: 'edited', name: effect.name, text: 'tasks: nothing'});
    assert.match(fixture.model.notice?.text ?? '', /^Not a plan yet; e opens your text again/);
    press(fixture, 'e');
    assert.deepEqual(fixture.effects.at(-1), {...effect, text: 'tasks: nothing'});
    happen(fixture, {
      type: 'edited',
      name: effect.name,
      text: effect.text.replace('Count refreshes', 'Count them'),
    });
    assert.equal(
      (fixture.commands[0] as {plan: typeof richPlan}).plan.tasks[2]?.title,
      'Count them',
    );
  });
});

describe('what needs the person:', () => {
  test('comes oldest first, round and round, forwards and back', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    const seen = ['n', 'n', 'n', 'N'].map((key) => {
      press(fixture, key);
      return fixture.model.need?.kind;
    });
    assert.deepEqual(seen, ['stopped', 'question', 'stopped', 'question']);
    assert.deepEqual(
      selectNeeds(harness.state).map(({kind}) => kind),
      ['stopped', 'question'],
    );
  });

  test('stays in view when it is settled and when others come, until the person goes on', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    press(fixture, 'n');
    const {need} = fixture.model;
    userCommand(harness, {type: 'grant-attempt', task: 'r1.t2'});
    fixture.state = harness.state;
    happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
    assert.deepEqual(fixture.model.need, need);
    // Its keys are gone with it.
    press(fixture, 'D', 'T', 'R');
    assert.deepEqual(
      [fixture.commands, fixture.model.confirmation, fixture.model.field],
      [[], undefined, undefined],
    );
    press(fixture, 'enter');
    assert.equal(fixture.model.need?.kind, 'question');
  });

  test('a question is answered by number, or in words', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    press(fixture, 'n', 'n', '1');
    press(fixture, 'enter');
    type(fixture, 'no way');
    press(fixture, 'enter');
    assert.deepEqual(fixture.commands, [
      {type: 'send-input', session: 's14', text: 'y\r'},
      {type: 'send-input', session: 's14', text: 'no way\r'},
    ]);
    assert.equal(fixture.model.notice?.text, 'Sent to r1.t3.');
  });

  test('a question without offered answers names no numbers for them', () => {
    const {harness, now} = tokenStory();
    report(harness, {type: 'person-asked', session: 's14', question: 'Which store?'});
    const fixture = open(harness.state, now);
    press(fixture, 'n');
    while (fixture.model.need?.kind !== 'question') press(fixture, 'n');
    assert.match(
      drawCells(fixture.model, fixture.state, fixture.now).rows.join('\n'),
      /Enter write/,
    );
  });

  test('that a run has come home is said when it has', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    happen(fixture, {
      type: 'event-heard',
      event: {type: 'run-accepted', at: now, run: 'r1', commit: 'c'},
    });
    assert.equal(fixture.model.notice?.text, 'r1 is in your branch.');
  });

  test('what an agent itself asks is answered, not typed: by the number of an option, or in words', () => {
    const {harness, now} = tokenStory();
    report(harness, {
      type: 'person-asked',
      session: 's14',
      question: 'Which store?',
      options: ['memory', 'disk'],
    });
    const fixture = open(harness.state, now);
    press(fixture, 'n');
    while (fixture.model.need?.kind !== 'question') press(fixture, 'n');
    assert.deepEqual(
      [fixture.model.need.asked, fixture.model.need.options],
      [1, ['memory', 'disk']],
    );
    press(fixture, '2', '3', 'enter');
    type(fixture, 'both');
    press(fixture, 'enter');
    assert.deepEqual(fixture.commands, [
      {type: 'answer-question', session: 's14', number: 1, text: 'disk'},
      {type: 'answer-question', session: 's14', number: 1, text: 'both'},
    ]);
  });

  test('a secret is written unseen, goes to the pane alone, and is gone when it was sent or not', () => {
    for (const leave of ['enter', 'escape']) {
      const harness = busy();
      const fixture = open(harness.state, harness.time);
      press(fixture, 'n', 'enter');
      type(fixture, 'hunter2');
      const {rows} = drawCells(fixture.model, fixture.state, fixture.now);
      assert.ok(rows.some((row) => row.includes('•'.repeat(7))));
      assert.doesNotMatch(rows.join('\n'), /hunter2/);
      assert.doesNotMatch(JSON.stringify(toUiState(fixture.model)), /hunter2/);
      assert.doesNotMatch(JSON.stringify(fixture.effects), /hunter2/);
      press(fixture, leave);
      assert.deepEqual(
        fixture.effects.filter((effect) => JSON.stringify(effect).includes('hunter2')),
        leave === 'enter' ? [{type: 'type-text', session: 's3', text: 'hunter2'}] : [],
      );
      assert.deepEqual([fixture.commands, fixture.model.field], [[], undefined]);
      assert.doesNotMatch(JSON.stringify(fixture.model), /hunter2/);
      assert.doesNotMatch(
        drawCells(fixture.model, fixture.state, fixture.now).rows.join('\n'),
        /hunter2/,
      );
    }
  });

  test('a secret that is pasted is sent as it is, without the line break at its end', () => {
    const harness = busy();
    const fixture = open(harness.state, harness.time);
    press(fixture, 'n', 'enter');
    happen(fixture, {type: 'pasted', text: 'two  blanks \r\n'});
    press(fixture, 'enter');
    assert.deepEqual(fixture.effects.at(-1), {
      type: 'type-text',
      session: 's3',
      text: 'two  blanks ',
    });
  });

  test('a secret that nobody asks for any more is not sent', () => {
    const harness = busy();
    const fixture = open(harness.state, harness.time);
    press(fixture, 'n', 'enter');
    type(fixture, 'hunter2');
    report(harness, {type: 'session-exited', session: 's3', code: 0, signal: null});
    fixture.state = harness.state;
    happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
    press(fixture, 'enter');
    assert.doesNotMatch(JSON.stringify([fixture.effects, fixture.commands]), /hunter2/);
    press(fixture, 'escape');
    assert.doesNotMatch(JSON.stringify(fixture.model), /hunter2/);
  });

  test('a secret can be typed straight into its pane, and is then not in the model at all', () => {
    const harness = busy();
    const fixture = open(harness.state, harness.time);
    press(fixture, 'n', 'i');
    assert.deepEqual(
      [fixture.model.mode, fixture.model.typingSession, fixture.model.field],
      ['typing', 's3', undefined],
    );
    assert.equal(selectPaneGrid(fixture.model, fixture.state).panes[0]?.session, 's3');
  });

  test('a task that stopped is granted with a hint, taken over, or discarded after one more question', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    press(fixture, 'n', 'R');
    type(fixture, 'see docs');
    press(fixture, 'enter', 'T', 'D');
    assert.equal(fixture.model.confirmation?.question, 'Discard task 2?');
    assert.match(JSON.stringify(fixture.model.confirmation.facts), /refs\/orchestra\/backup/);
    press(fixture, 'n', 'D', 'D');
    assert.deepEqual(fixture.commands, [
      {type: 'grant-attempt', task: 'r1.t2', hint: 'see docs'},
      {type: 'take-over', task: 'r1.t2'},
      {type: 'discard', what: 'r1.t2'},
    ]);
  });

  test('what was taken over goes back to be checked, or to its agent with a note or without', () => {
    const {harness, now} = tokenStory();
    userCommand(harness, {type: 'take-over', task: 'r1.t2'});
    const fixture = open(harness.state, now);
    press(fixture, 'escape');
    const selected = {...fixture.model, selected: 'r1.t2' as const, screen: 'workers' as const};
    const taken = {...fixture, model: selected};
    press(taken, 'L');
    assert.equal(taken.model.field?.for.what, 'hand-to-agent');
    type(taken, 'see docs');
    press(taken, 'enter', 'L', 'enter', 'H');
    assert.deepEqual(taken.commands, [
      {type: 'hand-back', task: 'r1.t2', to: 'agent', note: 'see docs'},
      {type: 'hand-back', task: 'r1.t2', to: 'agent'},
      {type: 'hand-back', task: 'r1.t2'},
    ]);
  });

  test('a message goes to the agent of the task, and an empty one does not', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    press(fixture, 'escape');
    const at = {
      ...fixture,
      model: {...fixture.model, selected: 'r1.t2' as const, screen: 'workers' as const},
    };
    press(at, 'M', 'enter');
    assert.deepEqual(at.model.field?.for, {what: 'tell', task: 'r1.t2'});
    type(at, 'Mind the tests.');
    press(at, 'enter');
    assert.deepEqual(at.commands, [{type: 'message-task', task: 'r1.t2', text: 'Mind the tests.'}]);
  });

  test('its agent goes on only with what a person has taken over', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    fixture.model = {...fixture.model, selected: 'r1.t2', screen: 'workers'};
    press(fixture, 'L');
    assert.deepEqual(
      [fixture.commands, fixture.model.field, fixture.model.notice?.text],
      [[], undefined, 'Choose a task that you have taken over.'],
    );
  });

  test('discarding says what is discarded with it', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    press(fixture, 'enter', 'g', 'down', 'down', 'down', 'D');
    assert.deepEqual(
      fixture.model.confirmation?.facts.at(-1)?.text,
      'discarded with it, because they build on it: 4',
    );
  });

  test('rings once for each, as the person wants it', () => {
    const harness = busy();
    const fixture = open(harness.state, harness.time);
    fixture.effects.length = 0;
    report(harness, {
      type: 'session-waiting',
      session: 's2',
      proof: 'proven',
      secret: false,
      question: 'Which port?',
    });
    fixture.state = harness.state;
    for (let times = 0; times < 3; times++)
      happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
    assert.deepEqual(fixture.effects, [{type: 'ring'}]);
  });

  test('the focus follows it only if that is wanted, and never away from a line that is being written', () => {
    const ask = (fixture: Fixture, harness: ReturnType<typeof busy>): string => {
      report(harness, {
        type: 'session-waiting',
        session: 's2',
        proof: 'proven',
        secret: false,
        question: 'Which port?',
      });
      fixture.state = harness.state;
      happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
      return fixture.model.selected;
    };

    const [plain, following, writing] = [busy(), busy(), busy()].map((harness) => ({
      harness,
      stage: open(harness.state, harness.time),
    }));
    for (const {stage} of [plain!, following!, writing!]) press(stage, 'enter', '2');
    press(following!.stage, 'F');
    press(writing!.stage, 'F', '/');
    assert.deepEqual(
      [
        ask(plain!.stage, plain!.harness),
        ask(following!.stage, following!.harness),
        ask(writing!.stage, writing!.harness),
      ],
      ['r1.t2', 'r1.t1', 'r1.t2'],
    );
  });
});

function atPlan(harness = planned()): Fixture {
  const fixture = open(harness.state, harness.time + 60_000);
  press(fixture, 'enter', 'p');
  fixture.effects.length = 0;
  return fixture;
}
