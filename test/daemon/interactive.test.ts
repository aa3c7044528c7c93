import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, test, type TestContext} from 'node:test';
import {
  needsOf,
  sessionOf,
  type Event,
  type Need,
  type Session,
  type State,
} from '../../source/domain/index.ts';
import {eventually} from '../support/eventually.ts';
import {createPlace, type Place} from './support/place.ts';

const program = path.join(import.meta.dirname, '..', 'support', 'pretend-agents', 'typed.mjs');

/** A person starts an agent that the project knows; nobody is attached to it. */
type Scene = Place & {
  readonly session: `s${number}`;
  readonly noted: () => readonly Readonly<Record<string, string>>[];
  readonly look: () => Promise<Session>;
  readonly needs: () => Promise<readonly Need[]>;
  readonly question: () => Promise<Extract<Need, {readonly kind: 'question'}>>;
  readonly fate: () => Promise<Session['inputs'][number]>;
};

async function createScene(
  t: TestContext,
  flags: readonly string[],
  {
    prompt,
    minute = '60000',
    ready = '^>',
  }: {readonly prompt?: string; readonly minute?: string; readonly ready?: string} = {},
): Promise<Scene> {
  const place = createPlace(t, {ORCHESTRA_MINUTE_MS: minute});
  const file = path.join(place.home, 'typed.jsonl');
  mkdirSync(path.join(place.root, '.orchestra'));
  writeFileSync(
    path.join(place.root, '.orchestra', 'project.yaml'),
    `agents:\n  typed: {plan: [${program}], work: [${program}], prompt: typed, patterns: {ready: '${ready}', question: '^May I '}}\n`,
  );
  const wish = {
    type: 'start-session' as const,
    name: 'agent',
    command: [program, ...flags],
    directory: place.root,
    ...(prompt === undefined ? {} : {prompt}),
  };
  const {events} = (await place.ask({
    about: 'wish',
    wish,
    env: {...place.env, TYPED: file},
    size: {columns: 80, rows: 24},
  })) as {readonly events: readonly Event[]};
  const session =
    events.flatMap((event) => (event.type === 'session-asked' ? [event.session] : []))[0] ??
    assert.fail();
  const state = async (): Promise<State> => (await place.ask({about: 'state'})) as State;
  const needs = async (): Promise<readonly Need[]> => needsOf(await state());
  const look = async (): Promise<Session> => sessionOf(await state(), session) ?? assert.fail();
  return {
    ...place,
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
    const scene = await createScene(t, [], {prompt: 'Make it better.\n\tAnd then:\n- say so.'});
    await scene.question();
    assert.deepEqual(scene.noted(), [{prompt: 'Make it better.\n\tAnd then:\n- say so.'}]);
    await scene.fate();
    assert.deepEqual(
      (await scene.look()).inputs.map(({number, fate, text}) => ({number, fate, text})),
      [{number: 1, fate: 'typed', text: 'Make it better.\n\tAnd then:\n- say so.'}],
    );
  });

  test('has no marks around it where the program did not ask for them, and is one line', async (t) => {
    const scene = await createScene(t, ['--plain'], {prompt: 'Make it better.'});
    await scene.question();
    assert.deepEqual(scene.noted(), [{prompt: 'Make it better.'}]);
  });

  for (const [why, flags, prompt] of [
    ['has several lines and cannot be pasted', ['--plain'], 'one\ntwo'],
    ['is very long', [], 'word '.repeat(20_000)],
  ] as const) {
    test(`that ${why} is named by its file`, async (t) => {
      const scene = await createScene(t, flags, {prompt});
      await scene.question();
      const [, file = ''] =
        /^Read the file (\S+) and do what it says\.$/.exec(scene.noted()[0]?.['prompt'] ?? '') ??
        [];
      assert.equal(readFileSync(file, 'utf8'), prompt);
    });
  }

  test('never answers a dialog: it waits until a person has', async (t) => {
    const scene = await createScene(t, ['--trust', '--works'], {prompt: 'Make it better.'});
    const need = await scene.question();
    assert.deepEqual(
      [need.question, need.options, need.source],
      ['May I trust this folder?', ['Yes', 'No'], 'screen'],
    );
    assert.deepEqual(scene.noted(), []);
    const sent = scene.run('send', scene.session, '2');
    assert.equal(sent.code, 0, sent.err);
    await eventually('the prompt is taken', () => scene.noted().length === 3);
    assert.deepEqual(scene.noted(), [
      {answered: 'trust', key: '2'},
      {prompt: 'Make it better.'},
      {answered: 'prompt', key: '1'},
    ]);
  });

  test('is not typed into a menu whose mark looks like the place for prompts; its option is chosen from where the mark is', async (t) => {
    const scene = await createScene(t, ['--menu', '--works'], {
      prompt: 'Make it better.',
      ready: '^ *[❯>]',
    });
    const need = await scene.question();
    assert.deepEqual(
      [need.question, need.options, need.source],
      ['Is this a folder that you trust?', ['No, exit', 'Yes, I trust it'], 'screen'],
    );
    const words = scene.run('send', scene.session, 'sure');
    assert.deepEqual([words.code, words.err.includes('offers 1 ')], [1, true], words.err);
    assert.deepEqual(scene.noted(), []);
    assert.equal(scene.run('send', scene.session, '2').code, 0);
    await eventually('the prompt is taken', () => scene.noted().length === 3);
    assert.deepEqual(scene.noted(), [
      {chosen: 1},
      {prompt: 'Make it better.'},
      {answered: 'prompt', key: '1'},
    ]);
  });

  for (const [what, flags, why] of [
    [
      'an agent that never takes one',
      ['--never'],
      /did not show that it takes a prompt\. Nothing was typed$/,
    ],
    [
      'one that does not appear',
      ['--blind'],
      /did not appear on the screen\. Enter was not pressed$/,
    ],
    ['an Enter that changes nothing', ['--deaf'], /after Enter the screen stayed as it was$/],
  ] as const) {
    test(`${what} is a need that says so, and nothing is typed again`, async (t) => {
      const scene = await createScene(t, flags, {prompt: 'Make it better.', minute: '6000'});
      const {fate, why: said} = await scene.fate();
      assert.equal(fate, 'uncertain');
      assert.match(said ?? '', why);
      const need = (await scene.needs()).find(({kind}) => kind === 'uncertain-input');
      assert(need?.kind === 'uncertain-input');
      assert.equal(need.why, said);
      assert.equal((await scene.look()).inputs.length, 1);
      assert.deepEqual(scene.noted(), []);
    });
  }

  test('is not typed again by a daemon that finds it begun', async (t) => {
    const scene = await createScene(t, ['--blind'], {prompt: 'Make it better.'});
    const exchange = path.join(scene.here().stateDirectory, 'exchange');
    await eventually(
      'it is begun',
      () =>
        existsSync(exchange) &&
        readdirSync(exchange).some((name) => existsSync(path.join(exchange, name, 'begun-1'))),
    );
    await scene.killDaemon('SIGKILL');
    const {fate, why} = await scene.fate();
    assert.deepEqual(
      [fate, why],
      [
        'uncertain',
        'the daemon ended while the prompt was being typed; it is not typed again by itself',
      ],
    );
    assert.deepEqual(scene.noted(), []);
  });

  test('waits through the death of a daemon that had not begun', async (t) => {
    const scene = await createScene(t, ['--trust', '--works'], {prompt: 'Make it better.'});
    await scene.question();
    await scene.killDaemon('SIGKILL');
    assert.equal(scene.run('send', scene.session, 'yes').code, 0);
    await eventually('the prompt is taken', () => scene.noted().length === 3);
    assert.deepEqual(scene.noted(), [
      {answered: 'trust', key: '1'},
      {prompt: 'Make it better.'},
      {answered: 'prompt', key: '1'},
    ]);
    assert.equal((await scene.fate()).fate, 'typed');
  });
});

describe('a dialog of an agent', () => {
  test('is answered with the keys of one option, without an Enter that could answer another', async (t) => {
    const scene = await createScene(t, [], {prompt: 'Make it better.'});
    await scene.question();
    const words = scene.run('send', scene.session, 'whatever you like');
    assert.deepEqual(
      [words.code, words.err],
      [
        1,
        `orchestra: ${scene.session} offers 1 Yes, 2 No; send one of the numbers, or answer in its pane\n`,
      ],
    );
    assert.equal(scene.run('send', scene.session, 'Yes').code, 0);
    await eventually('it is done', () => existsSync(path.join(scene.root, 'b.txt')));
    assert.deepEqual(scene.noted(), [{prompt: 'Make it better.'}, {answered: 'dialog', key: '1'}]);
    await eventually(
      'nothing is asked any more',
      async () =>
        !(await scene.needs()).some(
          (need) => need.kind === 'question' && need.source !== undefined,
        ),
    );
  });

  test('that is gone is not answered: the same keys would answer something else', async (t) => {
    const scene = await createScene(t, ['--tells'], {prompt: 'Make it better.'});
    await scene.question();
    const connection = await scene.connect();
    const ticket = (await connection.ask({about: 'ticket', session: scene.session})) as {
      readonly socket: string;
      readonly token: string;
    };
    connection.close();
    const {connectKeeper} = await import('../../source/keeper/index.ts');
    const link = await connectKeeper({...ticket, session: scene.session} as never, {});
    link.press(Buffer.from('2'));
    link.close();
    await eventually('it was answered by hand', () => scene.noted().some(({key}) => key === '2'));
    const sent = scene.run('send', scene.session, '1', '--json');
    // Either it was known already that nothing is asked, and this is plain text; or the dialog was looked for and not found.
    const inputs = (await scene.look()).inputs;
    if (inputs.at(-1)?.answers === undefined) return;
    assert.equal(sent.code, 1);
    assert.equal(
      inputs.at(-1)?.why,
      'what it answers is no longer on the screen; nothing was typed',
    );
    assert.equal(existsSync(path.join(scene.root, 'b.txt')), false);
  });
});

describe('what an agent says itself', () => {
  test('is believed before its screen: its query is answered with nobody attached, and blocked is a need in its words', async (t) => {
    const scene = await createScene(t, ['--tells'], {prompt: 'Make it better.'});
    const need = await scene.question();
    assert.deepEqual(
      [need.source, need.question, need.options],
      ['agent', 'May I write b.txt? · write b.txt', ['Yes', 'No']],
    );
    const replies = scene.noted().flatMap(({reply}) => (reply === undefined ? [] : [reply]));
    assert.deepEqual(replies, ['\u001B]7501;?\u001B\\', '\u001B[1;1R']);
    assert.match(scene.run('sessions').out, /needs you, told by the agent: May I write b\.txt\?/);
    assert.match(
      scene.run('explain', scene.session).out,
      /needs you +told by the agent: May I write b\.txt\?/,
    );
    assert.match(
      scene.run('needs').out,
      new RegExp(
        `${scene.session} needs you \\(told by the agent\\): May I write b\\.txt\\? · write b\\.txt \\(1 Yes,\\s+2\\s+No\\)`,
      ),
    );
  });

  test('what it said before is known to the next daemon', async (t) => {
    const scene = await createScene(t, ['--tells'], {prompt: 'Make it better.'});
    await scene.question();
    await scene.killDaemon('SIGKILL');
    const need = await scene.question();
    assert.equal(need.source, 'agent');
    assert.equal(scene.run('send', scene.session, '1').code, 0);
    await eventually('it is done', () => existsSync(path.join(scene.root, 'b.txt')));
  });
});
