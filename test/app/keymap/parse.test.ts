import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {changeKeys} from '../../../source/app/keymap/rebind.ts';
import {contextStacks} from '../../../source/app/keymap/context-stacks.ts';
import {buildKeymap, parseKeyChange, toBindingName} from '../../../source/app/keymap/parse.ts';
import {contextLabels} from '../../../source/app/keymap/binding.ts';
import {keymap} from '../../../source/app/keymap/bindings.ts';

const leave = 'ctrl-]';

/** The bindings that are not as usual, by name. */
function changed(
  keys: Readonly<Record<string, unknown>>,
): Readonly<Record<string, readonly string[]>> {
  const {bindings} = buildKeymap(keys, leave);
  return Object.fromEntries(
    bindings
      .filter(({own}) => own !== undefined)
      .map((binding) => [toBindingName(binding), binding.keys]),
  );
}

function problems(keys: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(buildKeymap(keys, leave).problems.map(({name, text}) => [name, text]));
}

describe('the usual table', () => {
  test('is what it is for whoever has changed nothing, with the key that leaves typing', () => {
    assert.deepEqual(buildKeymap({}, leave), {bindings: keymap, problems: []});
    assert.deepEqual(
      buildKeymap({}, 'ctrl-g').bindings.find(({action}) => action === 'stop-typing')?.keys,
      ['ctrl-g'],
    );
  });

  test('binds an action once in each context, so that a name means one binding', () => {
    const names = keymap.map(toBindingName);
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
  });

  test('keeps its own law: said as a wish, each of its lines would be granted', () => {
    for (const {in: context, action, keys, isFixed} of keymap) {
      if (isFixed === true || action === 'stop-typing') continue;
      assert.deepEqual(problems({[`${context}.${action}`]: keys}), {});
    }
  });

  test('has every context in one of the stacks', () => {
    assert.deepEqual(
      Object.keys(contextLabels).filter(
        (context) => !contextStacks.some((stack) => (stack as readonly string[]).includes(context)),
      ),
      [],
    );
  });
});

describe("a key of one's own", () => {
  test('holds wherever the action has a key, or in one context alone, which is more special', () => {
    assert.deepEqual(changed({approve: 'ctrl-a'}), {'plan.approve': ['ctrl-a']});
    assert.deepEqual(changed({'see-diff': 'f3'}), {
      'need-stopped.see-diff': ['f3'],
      'need-turn.see-diff': ['f3'],
      'variants.see-diff': ['f3'],
      'need-accept.see-diff': ['f3'],
    });
    assert.deepEqual(changed({'need-accept.see-diff': 'f4', 'see-diff': 'f3'}), {
      'need-stopped.see-diff': ['f3'],
      'need-turn.see-diff': ['f3'],
      'variants.see-diff': ['f3'],
      'need-accept.see-diff': ['f4'],
    });
    assert.deepEqual(changed({'workers.zoom': ['Z', 'F11', 'Z']}), {'workers.zoom': ['Z', 'f11']});
  });

  test('may be none; what decides keeps its grace', () => {
    assert.deepEqual(changed({'search-pane': 'none'}), {
      'workers.search-pane': [],
      'scroll.search-pane': [],
    });
    assert.deepEqual(changed({'workers.zoom': []}), {'workers.zoom': []});
    assert.equal(
      buildKeymap({approve: 'a'}, leave).bindings.find(({action}) => action === 'approve')
        ?.isGuarded,
      true,
    );
  });

  test('may be one that another has given up, in whatever order they stand', () => {
    assert.deepEqual(problems({'workers.zoom': 'tab', 'workers.next-pane': 'z'}), {});
    assert.deepEqual(changed({'workers.next-pane': 'z', 'workers.zoom': 'tab'}), {
      'workers.next-pane': ['z'],
      'workers.zoom': ['tab'],
    });
  });

  test('may be the same in places that are never open together', () => {
    assert.deepEqual(
      problems({
        'plan.approve': 'f5',
        'review.accept': 'f5',
        'confirm.confirm': 'f5',
        'services.start-service': 'f5',
      }),
      {},
    );
  });

  test('may keep what the usual table has in common on purpose', () => {
    // The space bar is a page of every list, and in Review it marks a file as viewed.
    const both = {'review.mark-viewed': ['space', 'f2'], 'list.page-down': ['page-down', 'space']};
    assert.deepEqual(problems(both), {});
  });
});

describe('counts as not said:', () => {
  test('a key that does something else where both can be open, with what and where', () => {
    assert.deepEqual(problems({'workers.zoom': 'n'}), {
      'workers.zoom': 'n is "what needs you" already (Everywhere, command.next-need)',
    });
    assert.deepEqual(problems({quit: 'j'}), {
      quit: 'j is "down" already (In lists and texts, list.down)',
    });
    assert.deepEqual(problems({'screen-plan': 'z'}), {
      'screen-plan': 'z is "zoom" already (Work, workers.zoom)',
    });
    assert.deepEqual(problems({'confirm.confirm': 'n'}), {
      'confirm.confirm': 'n is "leave it" already (In a dialog, confirm.leave-confirm)',
    });
    assert.deepEqual(Object.keys(problems({'workers.zoom': '3'})), ['workers.zoom']);
  });

  test('the later of two that want the same; the rest holds', () => {
    assert.deepEqual(
      Object.keys(problems({'workers.zoom': 'f5', 'workers.scroll': 'f5', quit: 'Q'})),
      ['workers.scroll'],
    );
    assert.deepEqual(changed({'workers.zoom': 'f5', 'workers.scroll': 'f5', quit: 'Q'}), {
      'workers.zoom': ['f5'],
      'command.quit': ['Q'],
    });
  });

  test('also one that took the key of another which has to keep it', () => {
    assert.deepEqual(problems({'workers.next-pane': 'z', 'workers.zoom': 'q'}), {
      'workers.next-pane': 'z is "zoom" already (Work, workers.zoom)',
      'workers.zoom':
        'q is "home; at home leave, and everything goes on" already (Everywhere, command.quit)',
    });
  });

  test('a name that is none, with the one that is near', () => {
    assert.deepEqual(
      problems({
        aprove: 'f5',
        'worker.zoom': 'f6',
        'zoom.workers': 'f7',
        '': 'x',
        xyzzy: 'x',
        __proto__x: 'x',
      }),
      {
        aprove: 'there is no such name; approve is near',
        'worker.zoom': 'there is no such name; workers.zoom is near',
        'zoom.workers': 'there is no such name; orchestra settings keys lists them',
        '': 'there is no such name; orchestra settings keys lists them',
        xyzzy: 'there is no such name; orchestra settings keys lists them',
        __proto__x: 'there is no such name; orchestra settings keys lists them',
      },
    );
  });

  test('what is no key, no list of keys, or too long a list', () => {
    for (const value of [
      7,
      null,
      undefined,
      'x'.repeat(100),
      true,
      {},
      [7],
      [[]],
      'ctrl-1',
      ['z', 'ab'],
      ['none'],
      Array.from({length: 9}, (_, index) => `f${index + 1}`),
    ]) {
      assert.deepEqual(
        Object.keys(problems({'workers.zoom': value})),
        ['workers.zoom'],
        JSON.stringify(value),
      );
    }
  });

  test('numbers, which say themselves what is meant, and the way out of choosing a key', () => {
    assert.match(problems({option: 'a'})['option'] ?? '', /^1 2 3 4 5 6 7 8 9 stay as they are/);
    assert.match(
      problems({'workers.numbered-pane': 'none'})['workers.numbered-pane'] ?? '',
      /stay as they are/,
    );
    assert.match(problems({'keep-key': 'q'})['keep-key'] ?? '', /stay as they are/);
  });

  test('the key that leaves typing, which is a setting of its own', () => {
    for (const name of ['stop-typing', 'typing.stop-typing'])
      assert.deepEqual(problems({[name]: 'ctrl-a'}), {
        [name]: 'the key that leaves typing is a setting of its own: leave',
      });
  });

  test('whatever would lock a person in: no key to leave, for help, for the commands, out of a line or a question', () => {
    const names = [
      'quit',
      'command.quit',
      'help',
      'palette',
      'leave-field',
      'field.leave-field',
      'prompt.leave-field',
      'palette.leave-field',
      'submit',
      'field.submit',
      'stop-scrolling',
      'leave-confirm',
      'confirm',
    ];
    assert.deepEqual(
      Object.keys(problems(Object.fromEntries(names.map((name) => [name, 'none'])))),
      names,
    );
  });
});

describe('where one writes', () => {
  test('nothing that writes or moves in the line can be a key', () => {
    for (const chord of [
      'a',
      'A',
      '?',
      '1',
      'space',
      'é',
      'left',
      'home',
      'backspace',
      'ctrl-a',
      'ctrl-w',
      'alt-f',
      'shift-left',
    ]) {
      for (const name of ['field.submit', 'prompt.next-agent', 'palette.down'])
        assert.match(
          problems({[name]: chord})[name] ?? '',
          /it writes, or moves in what is written/,
          `${name} ${chord}`,
        );
    }

    assert.deepEqual(
      problems({
        'field.submit': ['enter', 'ctrl-s'],
        'prompt.next-agent': 'f2',
        'palette.down': 'ctrl-n',
      }),
      {},
    );
  });

  test('what is said of an action as a whole holds elsewhere, and there as far as it can', () => {
    assert.deepEqual(changed({down: ['E', 'ctrl-n']}), {
      'list.down': ['E', 'ctrl-n'],
      'scroll.down': ['E', 'ctrl-n'],
      'palette.down': ['ctrl-n'],
    });
    assert.deepEqual(problems({down: 'd'}), {
      down: 'd is "delegate the task to another agent" already (Plan, plan.task-agent)',
    });
    assert.deepEqual(changed({down: 'E'}), {'list.down': ['E'], 'scroll.down': ['E']});
    assert.match(problems({submit: 'x'})['submit'] ?? '', /it writes/);
  });
});

describe('a change', () => {
  test('is written as the keymap writes it', () => {
    assert.deepEqual(changeKeys({}, leave, 'workers.zoom', ['Ctrl+B']), {
      keys: {'workers.zoom': 'ctrl-b'},
    });
    assert.deepEqual(changeKeys({quit: 'Q'}, leave, 'workers.zoom', ['z', 'F11']), {
      keys: {quit: 'Q', 'workers.zoom': ['z', 'f11']},
    });
    assert.deepEqual(changeKeys({}, leave, 'workers.zoom', ['none']), {
      keys: {'workers.zoom': 'none'},
    });
  });

  test('is taken back, also one of a name that another version had', () => {
    assert.deepEqual(changeKeys({quit: 'Q', zoom: 'f11'}, leave, 'zoom', 'usual'), {
      keys: {quit: 'Q'},
    });
    assert.deepEqual(changeKeys({'of-another': 'x'}, leave, 'of-another', 'usual'), {keys: {}});
    assert.deepEqual(changeKeys({}, leave, 'zoom', 'usual'), {keys: {}});
    assert.deepEqual(changeKeys({}, leave, 'zom', 'usual'), {
      rejected: 'zom: there is no such name; zoom is near',
    });
  });

  test('is refused when it, or one that is there, could not hold then', () => {
    assert.deepEqual(changeKeys({}, leave, 'quit', ['n']), {
      rejected: 'quit: n is "what needs you" already (Everywhere, command.next-need)',
    });
    assert.deepEqual(
      changeKeys({'workers.zoom': 'f5', 'workers.next-pane': 'z'}, leave, 'workers.zoom', 'usual'),
      {rejected: 'workers.next-pane: z is "zoom" already (Work, workers.zoom)'},
    );
    assert.deepEqual(changeKeys({quit: 'Q', help: 'H?'}, leave, 'workers.zoom', ['Q']), {
      rejected:
        'workers.zoom: Q is "home; at home leave, and everything goes on" already (Everywhere, command.quit)',
    });
  });

  test('is not held up by what was never understood', () => {
    assert.deepEqual(changeKeys({zom: 'x'}, leave, 'quit', ['Q']), {keys: {zom: 'x', quit: 'Q'}});
  });

  test('of a name that objects have by themselves is none', () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      assert.ok('rejected' in parseKeyChange(name, 'x'));
      assert.ok('rejected' in changeKeys({}, leave, name, ['x']));
      assert.ok('rejected' in changeKeys({}, leave, name, 'usual'));
    }
  });
});

test('a default key that came later gives way to a key that a person has chosen, where both work', () => {
  const keysOf = (keys: Readonly<Record<string, unknown>>, name: string): readonly string[] =>
    buildKeymap(keys, 'ctrl-]').bindings.find((binding) => toBindingName(binding) === name)?.keys ??
    [];
  assert.deepEqual(keysOf({}, 'review.next-change'), [']']);
  for (const keys of [{'review.next-file': ']'}, {'next-file': ']'}, {'screen-brief': ']'}]) {
    assert.deepEqual(buildKeymap(keys, 'ctrl-]').problems, []);
    assert.deepEqual(keysOf(keys, 'review.next-change'), []);
  }

  assert.deepEqual(keysOf({'plan.approve': ']'}, 'review.next-change'), [']']);
  assert.deepEqual(keysOf({'review.next-change': 'f5'}, 'review.next-change'), ['f5']);
});
