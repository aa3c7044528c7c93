import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import type {Binding, Context} from '../../../source/tui/model/keymap.ts';
import {changeKeys} from '../../../source/tui/model/change-keys.ts';
import {bindingsOf, contextsOf} from '../../../source/tui/model/contexts-of.ts';
import {contextStacks} from '../../../source/tui/model/context-stacks.ts';
import type {Deed} from '../../../source/tui/model/deed.ts';
import {keyNames} from '../../../source/tui/model/key-names.ts';
import {keymap} from '../../../source/tui/model/keymap.ts';
import {keymapOf} from '../../../source/tui/model/keymap-of.ts';
import {leaveChords} from '../../../source/tui/model/leave-key-of.ts';
import {screenNames} from '../../../source/tui/model/model.ts';
import {busy, open, planned, press, tokenStory} from '../screens/scenes.ts';
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
const names = [...keyNames(), 'option', 'stop-typing', 'nobody', 'quit ', '__proto__', ''];
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
  does: Deed,
): string | undefined {
  const own = stack.flatMap((context) => bindings.filter((binding) => binding.in === context));
  return own
    .filter((binding) => binding.does === does)
    .flatMap(({keys}) => keys)
    .find((key) => own.find(({keys}) => keys.includes(key))?.does === does);
}

describe('whatever stands in the settings,', () => {
  test('one can leave the app, get help, find the commands, leave typing, writing, scrolling and a question', () => {
    fc.assert(
      fc.property(anyKeys, anyLeave, (keys, leave) => {
        const {bindings} = keymapOf(keys, leave);
        for (const stack of contextStacks) {
          if (stack.includes('command'))
            for (const does of ['quit', 'help', 'palette'] as const)
              assert.notEqual(
                keyIn(stack, bindings, does),
                undefined,
                `${does} in ${stack.join(' ')}`,
              );
          if (writing.some((context) => stack.includes(context)))
            for (const does of ['submit', 'leave-field'] as const)
              assert.notEqual(keyIn(stack, bindings, does), undefined);
        }

        assert.equal(keyIn(['typing'], bindings, 'stop-typing'), leave);
        assert.equal(keyIn(['pressing'], bindings, 'keep-key'), 'escape');
        assert.notEqual(keyIn(['scroll'], bindings, 'stop-scrolling'), undefined);
        for (const does of ['confirm', 'leave-confirm'] as const)
          assert.notEqual(keyIn(['confirm'], bindings, does), undefined);
      }),
      {numRuns: 400},
    );
  });

  test('no two bindings that can be open at once share a key that they do not share as usual', () => {
    const isUsual = (binding: Binding, key: string): boolean =>
      keymap.some(
        (usual) =>
          usual.in === binding.in && usual.does === binding.does && usual.keys.includes(key),
      );
    fc.assert(
      fc.property(anyKeys, anyLeave, (keys, leave) => {
        const {bindings} = keymapOf(keys, leave);
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
                  other.binding.does !== one.binding.does &&
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
        const {bindings} = keymapOf(keys, 'ctrl-]');
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
          bindings.map(({isGraced}) => isGraced),
          keymap.map(({isGraced}) => isGraced),
        );
      }),
      {numRuns: 200},
    );
  });

  test('each entry holds or is told of; without the latter nothing is different', () => {
    fc.assert(
      fc.property(anyKeys, (keys) => {
        const {bindings, problems} = keymapOf(keys, 'ctrl-]');
        const unsaid = new Set(problems.map(({name}) => name));
        assert.equal(unsaid.size, problems.length);
        const rest = Object.fromEntries(Object.entries(keys).filter(([name]) => !unsaid.has(name)));
        assert.deepEqual(keymapOf(rest, 'ctrl-]'), {bindings, problems: []});
      }),
      {numRuns: 200},
    );
  });
});

test('one change after the other, whatever is wished: nothing that was granted is lost', () => {
  const wish = fc.tuple(
    fc.constantFrom(...keyNames()),
    fc.oneof(fc.constant('usual' as const), fc.array(chord, {minLength: 1, maxLength: 2})),
  );
  fc.assert(
    fc.property(fc.array(wish, {maxLength: 40}), (wishes) => {
      let keys: Readonly<Record<string, unknown>> = {};
      for (const [name, value] of wishes) {
        const changed = changeKeys(keys, 'ctrl-]', name, value);
        if ('keys' in changed) ({keys} = changed);
      }

      assert.deepEqual(keymapOf(keys, 'ctrl-]').problems, []);
    }),
    {numRuns: 100},
  );
});

test('on every screen of a living app the keys of somebody with the strangest wishes lead out, and what is open together is known', () => {
  const houses = [tokenStory().house, busy(), planned()];
  fc.assert(
    fc.property(
      anyKeys,
      fc.constantFrom(...houses),
      fc.array(fc.constantFrom(...chords.filter((one) => one !== 'none' && one !== '')), {
        maxLength: 12,
      }),
      (keys, house, pressed) => {
        for (const screen of screenNames) {
          const stage = open(house.state, house.time + 60_000, undefined, {settings: {keys}});
          stage.model = {...stage.model, screen, field: undefined};
          press(stage, ...pressed);
          const stack = contextsOf(stage.model, stage.state);
          assert.ok(
            contextStacks.some((one) => one.join(' ') === stack.join(' ')),
            stack.join(' '),
          );
          // Out of whatever is open first, as the last line says.
          for (
            let tries = 0;
            tries < 4 && !contextsOf(stage.model, stage.state).includes('command');
            tries++
          ) {
            const out = bindingsOf(stage.model, stage.state).find(({does}) =>
              [
                'leave-field',
                'leave-confirm',
                'keep-key',
                'stop-scrolling',
                'stop-typing',
              ].includes(does),
            );
            press(stage, out?.keys[0] ?? '');
          }

          stage.effects.length = 0;
          press(
            stage,
            bindingsOf(stage.model, stage.state).find(({does}) => does === 'quit')?.keys[0] ?? '',
          );
          assert.deepEqual(stage.effects, [{type: 'quit'}]);
        }
      },
    ),
    {numRuns: 15},
  );
});
