import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, test, type TestContext} from 'node:test';
import {
  type Event,
  type Need,
  selectNeeds,
  selectSession,
  type Session,
  type State,
} from '../../../source/domain/index.ts';
import {isShown} from '../../../source/daemon/effects/type-text.ts';
import {eventually} from '../../support/eventually.ts';
import {createDaemonFixture, type DaemonFixture} from '../support/daemon-fixture.ts';

const program = path.join(
  import.meta.dirname,
  '..',
  '..',
  'support',
  'pretend-agents',
  'typed.mjs',
);

/** A person starts an agent that the project knows; nobody is attached to it. */
type Fixture = DaemonFixture & {
  readonly session: `s${number}`;
  readonly noted: () => readonly Readonly<Record<string, string>>[];
  readonly look: () => Promise<Session>;
  readonly needs: () => Promise<readonly Need[]>;
  readonly question: () => Promise<Extract<Need, {readonly kind: 'question'}>>;
  readonly fate: () => Promise<Session['inputs'][number]>;
};

async function createFixture(
  t: TestContext,
  flags: readonly string[],
  {
    prompt,
    minute = '60000',
    ready = '^>',
  }: {readonly prompt?: string; readonly minute?: string; readonly ready?: string} = {},
): Promise<Fixture> {
  const fixture = createDaemonFixture(t, {ORCHESTRA_MINUTE_MS: minute});
  const file = path.join(fixture.home, 'typed.jsonl');
  mkdirSync(path.join(fixture.root, '.orchestra'));
  writeFileSync(
    path.join(fixture.root, '.orchestra', 'project.yaml'),
    `agents:\n  typed: {plan: [${program}], work: [${program}], prompt: typed, patterns: {ready: '${ready}', question: '^May I '}}\n`,
  );
  const command = {
    type: 'start-session' as const,
    name: 'agent',
    command: [program, ...flags],
    directory: fixture.root,
    ...(prompt === undefined ? {} : {prompt}),
  };
  const {events} = (await fixture.ask({
    about: 'wish',
    wish: command,
    env: {...fixture.env, TYPED: file},
    size: {columns: 80, rows: 24},
  })) as {readonly events: readonly Event[]};
  const session =
    events.flatMap((event) => (event.type === 'session-asked' ? [event.session] : []))[0] ??
    assert.fail();
  const state = async (): Promise<State> => (await fixture.ask({about: 'state'})) as State;
  const needs = async (): Promise<readonly Need[]> => selectNeeds(await state());
  const look = async (): Promise<Session> => selectSession(await state(), session) ?? assert.fail();
  return {
    ...fixture,
    session,
    look,
    needs,
    // The last piece is empty, or a line that is just being written.
    noted: () =>
      existsSync(file)
        ? readFileSync(file, 'utf8')
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line) as Readonly<Record<string, string>>)
        : [],
    question: () =>
      eventually(
        'it asks',
        async () =>
          (await needs()).find((need) => need.kind === 'question' && need.source !== undefined) as
            Extract<Need, {readonly kind: 'question'}> | undefined,
      ),
    fate: () =>
      eventually('it is known what became of the prompt', async () =>
        (await look()).inputs.find((input) => input.fate !== 'pending'),
      ),
  };
}

describe('a prompt that is typed', () => {
  test('goes in as one paste once the agent takes it, and Enter when it stands there', async (t) => {
    const fixture = await createFixture(t, [], {prompt: 'Make it better.\n\tAnd then:\n- say so.'});
    await fixture.question();
    assert.deepEqual(fixture.noted(), [{prompt: 'Make it better.\n\tAnd then:\n- say so.'}]);
    await fixture.fate();
    assert.deepEqual(
      (await fixture.look()).inputs.map(({number, fate, text}) => ({number, fate, text})),
      [{number: 1, fate: 'typed', text: 'Make it better.\n\tAnd then:\n- say so.'}],
    );
  });

  test('has no marks around it where the program did not ask for them, and is one line', async (t) => {
    const fixture = await createFixture(t, ['--plain'], {prompt: 'Make it better.'});
    await fixture.question();
    assert.deepEqual(fixture.noted(), [{prompt: 'Make it better.'}]);
  });

  for (const [why, flags, prompt] of [
    ['has several lines and cannot be pasted', ['--plain'], 'one\ntwo'],
    ['is very long', [], 'word '.repeat(20_000)],
  ] as const) {
    test(`that ${why} is named by its file`, async (t) => {
      const fixture = await createFixture(t, flags, {prompt});
      await fixture.question();
      const [, file = ''] =
        /^Read the file (\S+) and do what it says\.$/.exec(fixture.noted()[0]?.['prompt'] ?? '') ??
        [];
      assert.equal(readFileSync(file, 'utf8'), prompt);
    });
  }

  test('never answers a dialog: it waits until a person has', async (t) => {
    const fixture = await createFixture(t, ['--trust', '--works'], {prompt: 'Make it better.'});
    const need = await fixture.question();
    assert.deepEqual(
      [need.question, need.options, need.source],
      ['May I trust this folder?', ['Yes', 'No'], 'screen'],
    );
    assert.deepEqual(fixture.noted(), []);
    const sent = fixture.run('send', fixture.session, '2');
    assert.equal(sent.code, 0, sent.err);
    await eventually('the prompt is taken', () => fixture.noted().length === 3);
    assert.deepEqual(fixture.noted(), [
      {answered: 'trust', key: '2'},
      {prompt: 'Make it better.'},
      {answered: 'prompt', key: '1'},
    ]);
  });

  test('is not typed into a menu whose mark looks like the place for prompts; its option is chosen from where the mark is', async (t) => {
    const fixture = await createFixture(t, ['--menu', '--works'], {
      prompt: 'Make it better.',
      ready: '^ *[❯>]',
    });
    const need = await fixture.question();
    assert.deepEqual(
      [need.question, need.options, need.source],
      ['Is this a folder that you trust?', ['No, exit', 'Yes, I trust it'], 'screen'],
    );
    const text = fixture.run('send', fixture.session, 'sure');
    assert.deepEqual([text.code, text.err.includes('offers 1 ')], [1, true], text.err);
    assert.deepEqual(fixture.noted(), []);
    assert.equal(fixture.run('send', fixture.session, '2').code, 0);
    await eventually('the prompt is taken', () => fixture.noted().length === 3);
    assert.deepEqual(fixture.noted(), [
      {chosen: 1},
      {prompt: 'Make it better.'},
      {answered: 'prompt', key: '1'},
    ]);
  });

  for (const [what, flags, why] of [
    [
      'an agent that never takes one',
      ['--never'],
      /the agent showed no prompt\. Nothing was typed$/,
    ],
    [
      'one that does not appear',
      ['--blind'],
      /did not appear on the screen\. Enter was not pressed$/,
    ],
    ['an Enter that changes nothing', ['--deaf'], /the screen did not change after Enter$/],
  ] as const) {
    test(`${what} is a need that says so, and nothing is typed again`, async (t) => {
      const fixture = await createFixture(t, flags, {prompt: 'Make it better.', minute: '6000'});
      const {fate, why: text} = await fixture.fate();
      assert.equal(fate, 'uncertain');
      assert.match(text ?? '', why);
      const need = (await fixture.needs()).find(({kind}) => kind === 'uncertain-input');
      assert(need?.kind === 'uncertain-input');
      assert.equal(need.why, text);
      assert.equal((await fixture.look()).inputs.length, 1);
      assert.deepEqual(fixture.noted(), []);
    });
  }

  test('is not typed again by a daemon that finds it begun', async (t) => {
    const fixture = await createFixture(t, ['--blind'], {prompt: 'Make it better.'});
    const exchange = path.join(fixture.current().stateDirectory, 'exchange');
    await eventually(
      'it is begun',
      () =>
        existsSync(exchange) &&
        readdirSync(exchange).some((name) => existsSync(path.join(exchange, name, 'begun-1'))),
    );
    await fixture.killDaemon('SIGKILL');
    const {fate, why} = await fixture.fate();
    assert.deepEqual(
      [fate, why],
      [
        'uncertain',
        'the daemon exited while it typed the prompt; orchestra does not type it again by itself',
      ],
    );
    assert.deepEqual(fixture.noted(), []);
  });

  test('waits through the death of a daemon that had not begun', async (t) => {
    const fixture = await createFixture(t, ['--trust', '--works'], {prompt: 'Make it better.'});
    await fixture.question();
    await fixture.killDaemon('SIGKILL');
    assert.equal(fixture.run('send', fixture.session, 'yes').code, 0);
    await eventually('the prompt is taken', () => fixture.noted().length === 3);
    assert.deepEqual(fixture.noted(), [
      {answered: 'trust', key: '1'},
      {prompt: 'Make it better.'},
      {answered: 'prompt', key: '1'},
    ]);
    assert.equal((await fixture.fate()).fate, 'typed');
  });
});

describe('a typed prompt', () => {
  const text = 'Make it better.\nAnd say why.';
  const shown: Readonly<Record<string, readonly string[]>> = {
    itself: ['> Make it better.', '  And say why.'],
    'as claude and codex shorten it': ['❯ [Pasted text #1 +24 lines]'],
    'as pi shortens it': ['[paste #1 +42 lines]'],
  };
  for (const [how, after] of Object.entries(shown))
    test(`is on the screen ${how}`, () => {
      assert.equal(isShown(text, ['>'], after), true);
      assert.equal(isShown(text, after, after), false);
    });

  test('is not there yet if something else changed', () => {
    assert.equal(isShown(text, ['>'], ['> half a thought']), false);
  });
});

describe('a dialog of an agent', () => {
  test('is answered with the keys of one option, without an Enter that could answer another', async (t) => {
    const fixture = await createFixture(t, [], {prompt: 'Make it better.'});
    await fixture.question();
    const text = fixture.run('send', fixture.session, 'whatever you like');
    assert.deepEqual(
      [text.code, text.err],
      [
        1,
        `orchestra: ${fixture.session} offers 1 Yes, 2 No; send one of the numbers, or answer in its pane\n`,
      ],
    );
    assert.equal(fixture.run('send', fixture.session, 'Yes').code, 0);
    await eventually('it is done', () => existsSync(path.join(fixture.root, 'b.txt')));
    assert.deepEqual(fixture.noted(), [
      {prompt: 'Make it better.'},
      {answered: 'dialog', key: '1'},
    ]);
    await eventually(
      'nothing is asked any more',
      async () =>
        !(await fixture.needs()).some(
          (need) => need.kind === 'question' && need.source !== undefined,
        ),
    );
  });

  test('that is gone is not answered: the same keys would answer something else', async (t) => {
    const fixture = await createFixture(t, ['--tells'], {prompt: 'Make it better.'});
    await fixture.question();
    const connection = await fixture.connect();
    const ticket = (await connection.ask({about: 'ticket', session: fixture.session})) as {
      readonly socket: string;
      readonly token: string;
    };
    connection.close();
    const {connectKeeper} = await import('../../../source/keeper/index.ts');
    const link = await connectKeeper({...ticket, session: fixture.session} as never, {});
    link.press(Buffer.from('2'));
    link.close();
    await eventually('it was answered by hand', () => fixture.noted().some(({key}) => key === '2'));
    const sent = fixture.run('send', fixture.session, '1', '--json');
    // Either it was known already that nothing is asked, and this is plain text; or the dialog was
    // looked for and not found.
    const inputs = (await fixture.look()).inputs;
    if (inputs.at(-1)?.answers === undefined) return;
    assert.equal(sent.code, 1);
    assert.equal(inputs.at(-1)?.why, 'the question is no longer on the screen; nothing was typed');
    assert.equal(existsSync(path.join(fixture.root, 'b.txt')), false);
  });
});

describe('what an agent says itself', () => {
  test('is believed before its screen: its query is answered with nobody attached, and blocked is a need in its words', async (t) => {
    const fixture = await createFixture(t, ['--tells'], {prompt: 'Make it better.'});
    const need = await fixture.question();
    assert.deepEqual(
      [need.source, need.question, need.options],
      ['agent', 'May I write b.txt? · write b.txt', ['Yes', 'No']],
    );
    const replies = fixture.noted().flatMap(({reply}) => (reply === undefined ? [] : [reply]));
    assert.deepEqual(replies, ['\u001B]7501;?\u001B\\', '\u001B[1;1R']);
    assert.match(
      fixture.run('sessions').out,
      /needs you, reported by the agent: May I write b\.txt\?/,
    );
    assert.match(
      fixture.run('explain', fixture.session).out,
      /needs you +reported by the agent: May I write b\.txt\?/,
    );
    assert.match(
      fixture.run('needs').out,
      new RegExp(
        `${fixture.session} asks \\(reported by the agent\\): May I write b\\.txt\\? · write b\\.txt \\(1 Yes,\\s+2\\s+No\\)`,
      ),
    );
  });

  test('what it said before is known to the next daemon', async (t) => {
    const fixture = await createFixture(t, ['--tells'], {prompt: 'Make it better.'});
    await fixture.question();
    await fixture.killDaemon('SIGKILL');
    const need = await fixture.question();
    assert.equal(need.source, 'agent');
    assert.equal(fixture.run('send', fixture.session, '1').code, 0);
    await eventually('it is done', () => existsSync(path.join(fixture.root, 'b.txt')));
  });
});
