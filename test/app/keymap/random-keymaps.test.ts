import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import type {Binding, Context} from '../../../source/app/keymap/binding.ts';
import {keymap} from '../../../source/app/keymap/bindings.ts';
import {changeKeys} from '../../../source/app/keymap/rebind.ts';
import {selectBindings, selectContexts} from '../../../source/app/keymap/resolve.ts';
import {contextStacks} from '../../../source/app/keymap/context-stacks.ts';
import type {ActionName} from '../../../source/app/keymap/action-name.ts';
import {bindingNames, buildKeymap} from '../../../source/app/keymap/parse.ts';
import {leaveChords} from '../../../source/app/keymap/chord.ts';
import {screenNames} from '../../../source/app/model/model.ts';
import {isHome} from '../../../source/app/model/open-screen.ts';
import {busy, type Fixture, open, planned, press} from '../screens/fixtures.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';
import {fc} from '../../support/property.ts';

/** What somebody may write: keys of the table, so that they meet; others; and nonsense. */
const chords = [
  ...new Set(keymap.flatMap(({keys}) => keys)),
  'f1',
  'f2',
  'ctrl-a',
  'ctrl-t',
  'alt-x',
  'Z',
  'E',
  'ctrl-1',
  'nonsense',
  'none',
  '',
];
const names = [...bindingNames(), 'option', 'stop-typing', 'nobody', 'quit ', '__proto__', ''];
const chord = fc.constantFrom(...chords);
const anyValue = fc.oneof(
  {weight: 8, arbitrary: chord},
  {weight: 3, arbitrary: fc.array(chord, {maxLength: 4})},
  fc.jsonValue() as fc.Arbitrary<unknown>,
);
const anyKeys = fc
  .array(fc.tuple(fc.constantFrom(...names), anyValue), {maxLength: 60})
  .map((entries): Readonly<Record<string, unknown>> => Object.fromEntries(entries));
const anyLeave = fc.constantFrom(...leaveChords);
const writing: readonly Context[] = ['field', 'prompt', 'palette'];

/** The key that does something in a stack of contexts, as the most special has it. */
function keyIn(
  stack: readonly Context[],
  bindings: readonly Binding[],
  action: ActionName,
): string | undefined {
  const own = stack.flatMap((context) => bindings.filter((binding) => binding.in === context));
  return own
    .filter((binding) => binding.action === action)
    .flatMap(({keys}) => keys)
    .find((key) => own.find(({keys}) => keys.includes(key))?.action === action);
}

describe('whatever stands in the settings,', () => {
  test('one can leave the app, get help, find the commands, leave typing, writing, scrolling and a question', () => {
    fc.assert(
      fc.property(anyKeys, anyLeave, (keys, leave) => {
        const {bindings} = buildKeymap(keys, leave);
        for (const stack of contextStacks) {
          if (stack.includes('command'))
            for (const action of ['quit', 'help', 'palette'] as const)
              assert.notEqual(
                keyIn(stack, bindings, action),
                undefined,
                `${action} in ${stack.join(' ')}`,
              );
          if (writing.some((context) => stack.includes(context)))
            for (const action of ['submit', 'leave-field'] as const)
              assert.notEqual(keyIn(stack, bindings, action), undefined);
        }

        assert.equal(keyIn(['typing'], bindings, 'stop-typing'), leave);
        assert.equal(keyIn(['pressing'], bindings, 'keep-key'), 'escape');
        assert.notEqual(keyIn(['scroll'], bindings, 'stop-scrolling'), undefined);
        for (const action of ['confirm', 'leave-confirm'] as const)
          assert.notEqual(keyIn(['confirm'], bindings, action), undefined);
      }),
      {numRuns: 400},
    );
  });

  test('no two bindings that can be open at once share a key that they do not share as usual', () => {
    const isUsual = (binding: Binding, key: string): boolean =>
      keymap.some(
        (usual) =>
          usual.in === binding.in && usual.action === binding.action && usual.keys.includes(key),
      );
    fc.assert(
      fc.property(anyKeys, anyLeave, (keys, leave) => {
        const {bindings} = buildKeymap(keys, leave);
        for (const stack of contextStacks) {
          const open = bindings
            .filter((binding) => stack.includes(binding.in))
            .flatMap((binding) => binding.keys.map((key) => ({binding, key})));
          const meeting = open.flatMap((one, index) =>
            open
              .slice(index + 1)
              .filter(
                (other) =>
                  other.key === one.key &&
                  other.binding.action !== one.binding.action &&
                  !(isUsual(one.binding, one.key) && isUsual(other.binding, other.key)),
              ),
          );
          assert.deepEqual(meeting, []);
        }
      }),
      {numRuns: 200},
    );
  });

  test('every character can be written, numbers answer, and what decides has its grace', () => {
    fc.assert(
      fc.property(anyKeys, (keys) => {
        const {bindings} = buildKeymap(keys, 'ctrl-]');
        assert.deepEqual(
          bindings.filter(
            (binding) =>
              writing.includes(binding.in) &&
              binding.keys.some((key) => Array.from(key).length === 1 || key === 'space'),
          ),
          [],
        );
        assert.deepEqual(
          bindings.filter(({isFixed}) => isFixed === true),
          keymap.filter(({isFixed}) => isFixed === true),
        );
        assert.deepEqual(
          bindings.map(({isGuarded}) => isGuarded),
          keymap.map(({isGuarded}) => isGuarded),
        );
      }),
      {numRuns: 200},
    );
  });

  test('each entry holds or is told of; without the latter nothing is different', () => {
    fc.assert(
      fc.property(anyKeys, (keys) => {
        const {bindings, problems} = buildKeymap(keys, 'ctrl-]');
        const unsaid = new Set(problems.map(({name}) => name));
        assert.equal(unsaid.size, problems.length);
        const rest = Object.fromEntries(Object.entries(keys).filter(([name]) => !unsaid.has(name)));
        assert.deepEqual(buildKeymap(rest, 'ctrl-]'), {bindings, problems: []});
      }),
      {numRuns: 200},
    );
  });
});

test('one change after the other, whatever is wished: nothing that was granted is lost', () => {
  const command = fc.tuple(
    fc.constantFrom(...bindingNames()),
    fc.oneof(fc.constant('usual' as const), fc.array(chord, {minLength: 1, maxLength: 2})),
  );
  fc.assert(
    fc.property(fc.array(command, {maxLength: 40}), (commands) => {
      let keys: Readonly<Record<string, unknown>> = {};
      for (const [name, value] of commands) {
        const changed = changeKeys(keys, 'ctrl-]', name, value);
        if ('keys' in changed) ({keys} = changed);
      }

      assert.deepEqual(buildKeymap(keys, 'ctrl-]').problems, []);
    }),
    {numRuns: 100},
  );
});

test('on every screen of a living app the keys of somebody with the strangest wishes lead out, and what is open together is known', () => {
  const harnesses = [tokenStory().harness, busy(), planned()];
  fc.assert(
    fc.property(
      anyKeys,
      fc.constantFrom(...harnesses),
      fc.array(fc.constantFrom(...chords.filter((one) => one !== 'none' && one !== '')), {
        maxLength: 12,
      }),
      (keys, harness, pressed) => {
        for (const screen of screenNames) {
          const fixture = open(harness.state, harness.time + 60_000, undefined, {settings: {keys}});
          fixture.model = {...fixture.model, screen, field: undefined};
          press(fixture, ...pressed);
          const stack = selectContexts(fixture.model, fixture.state);
          assert.ok(
            contextStacks.some((one) => one.join(' ') === stack.join(' ')),
            stack.join(' '),
          );
          // Out of whatever is open first, as the last line says.
          for (
            let tries = 0;
            tries < 4 && !selectContexts(fixture.model, fixture.state).includes('command');
            tries++
          ) {
            const out = selectBindings(fixture.model, fixture.state).find(({action}) =>
              [
                'leave-field',
                'leave-confirm',
                'keep-key',
                'stop-scrolling',
                'stop-typing',
              ].includes(action),
            );
            press(fixture, out?.keys[0] ?? '');
          }

          const ways = quitKeys(fixture);
          assert.notEqual(ways.length, 0, `${screen} has a key to leave`);
          if (ways.includes('ctrl-c')) {
            const other: Fixture = {...fixture, effects: []};
            press(other, 'ctrl-c');
            assert.deepEqual(other.effects, [{type: 'quit'}], `Ctrl-c leaves ${screen} at once`);
          }

          // Any other key of it goes home first, and leaves there.
          const home = ways.find((key) => key !== 'ctrl-c');
          if (home !== undefined && !isHome(fixture.model, fixture.state)) {
            press(fixture, home);
            assert.ok(isHome(fixture.model, fixture.state), `${home} leads home from ${screen}`);
          }

          fixture.effects.length = 0;
          press(fixture, quitKeys(fixture)[0] ?? '');
          assert.deepEqual(fixture.effects, [{type: 'quit'}]);
        }
      },
    ),
    {numRuns: 15},
  );
});

function quitKeys({model, state}: Fixture): readonly string[] {
  return selectBindings(model, state).find(({action}) => action === 'quit')?.keys ?? [];
}
