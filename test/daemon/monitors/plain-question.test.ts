import assert from 'node:assert/strict';
import path from 'node:path';
import {mkdirSync, writeFileSync} from 'node:fs';
import {describe, test, type TestContext} from 'node:test';
import {readsBy} from '../../../source/daemon/monitors/plain-question.ts';
import {eventually} from '../../support/eventually.ts';
import {createDaemonFixture, type DaemonFixture} from '../support/daemon-fixture.ts';

type NeedJson = {
  readonly id: string;
  readonly question?: string;
  readonly options?: readonly {readonly key: string; readonly label: string}[];
  readonly words: string;
};

async function questionOf(fixture: DaemonFixture, session: string): Promise<NeedJson> {
  return eventually(`${session} asks`, () => {
    const {needs} = fixture.json('needs', '--json') as {readonly needs: readonly NeedJson[]};
    return needs.find(({id}) => id.startsWith(`${session}/question/`));
  });
}

const print = `printf 'got<%s>\\n'`;

/** Programs as they ask, what is read from their screen, what is sent, and what they got. */
const programs: readonly {
  readonly what: string;
  readonly command: readonly string[];
  readonly question: string;
  readonly options: readonly string[];
  readonly send: string;
  readonly got: string;
}[] = [
  {
    what: 'select of bash',
    command: [
      'bash',
      '-c',
      `echo 'Which colour?'; select c in red green; do ${print} "$c"; break; done; cat`,
    ],
    question: 'Which colour?',
    options: ['1 red', '2 green'],
    send: '2',
    got: 'got<green>',
  },
  {
    what: 'read -p with a list above it',
    command: [
      'bash',
      '-c',
      `printf '[1] red\\n[2] green\\n[0] none\\n'; read -rp 'Your choice: ' c; ${print} "$c"; cat`,
    ],
    question: 'Your choice:',
    options: ['1 red', '2 green', '0 none'],
    send: '0',
    got: 'got<0>',
  },
  {
    what: 'input() of python',
    command: [
      'python3',
      '-c',
      `print("Which?\\n 1. red\\n 2. green"); print("got<%s>" % input("> ")); input()`,
    ],
    question: 'Which?',
    options: ['1 red', '2 green'],
    send: '1',
    got: 'got<1>',
  },
  {
    what: 'yes or no, as apt asks it',
    command: [
      'sh',
      '-c',
      `printf 'Do you want to continue? [Y/n] '; read -r a; ${print} "$a"; cat`,
    ],
    question: 'Do you want to continue? [Y/n]',
    options: ['y yes', 'n no'],
    send: '2',
    got: 'got<n>',
  },
  {
    what: 'a single key: no Enter follows it, which would answer the next question',
    command: [
      'bash',
      '-c',
      `read -rn1 -p 'Delete it? [y/N] ' a; echo; read -r b; ${print} "$a,$b"; cat`,
    ],
    question: 'Delete it? [y/N]',
    options: ['y yes', 'n no'],
    send: 'y',
    got: 'got<y,next>',
  },
];

describe('options on the screen of a plain program', () => {
  for (const {what, command, question, options, send, got} of programs)
    test(what, async (t: TestContext) => {
      const fixture = createDaemonFixture(t);
      const session = await fixture.start(...command);
      const need = await questionOf(fixture, session);
      assert.deepEqual(
        [need.question, need.options?.map(({key, label}) => `${key} ${label}`)],
        [question, options],
      );
      assert.ok(need.words.endsWith(`: ${question} (${options.join(', ')})`), need.words);
      const sent = fixture.run('send', session, send);
      assert.equal(sent.code, 0, sent.err);
      if (got.includes('next')) {
        await eventually('it asks for the next line', async () => {
          const next = await questionOf(fixture, session);
          return next.id !== need.id;
        });
        fixture.run('send', session, 'next');
      }

      await eventually(`it got ${got}`, () => fixture.outputOf(session).includes(got));
    });

  test('an answer that comes too late is not typed into the next question', async (t) => {
    const fixture = createDaemonFixture(t);
    const session = await fixture.start(
      'bash',
      '-c',
      `read -rp 'Keep it? [y/n] ' a; stty -echo; read -r b; ${print} "$a,$b"; cat`,
    );
    await questionOf(fixture, session);
    // Typed by hand at once, before the daemon has looked again.
    assert.equal(fixture.run('send', session, '--no-enter', 'y\n').code, 0);
    await eventually('it asks for a secret', async () => {
      const {waiting} = (await fixture.sessionOf(session)) ?? {};
      return waiting?.secret === true;
    });
    assert.equal(fixture.run('send', session, '2').code, 1);
    assert.ok(!fixture.outputOf(session).includes('got<'));
  });
});

test('a declared agent without a pattern for its questions offers the options that it prints', async (t) => {
  const fixture = createDaemonFixture(t);
  mkdirSync(path.join(fixture.root, '.orchestra'), {recursive: true});
  writeFileSync(
    path.join(fixture.root, '.orchestra', 'project.yaml'),
    'agents:\n  picker:\n    work: [bash, -c, "true", "{prompt}"]\n',
  );
  const list = `printf 'Which colour?\\n1. red\\n2. green\\n\\n'; read -rp '> ' c; ${print} "$c"; cat`;
  const session = await fixture.start('bash', '-c', list);
  const need = await questionOf(fixture, session);
  assert.deepEqual(
    [need.question, need.options?.map(({key, label}) => `${key} ${label}`)],
    ['Which colour?', ['1 red', '2 green']],
  );
  assert.equal(fixture.run('send', session, '2').code, 0);
  await eventually('it got the answer', () => fixture.outputOf(session).includes('got<2>'));
});

test('how a program reads: lines, single keys, or what nobody can say', () => {
  const raw = {isCanonical: false, echoes: false, readsForATime: false};
  assert.equal(readsBy({...raw, isCanonical: true, echoes: true}, false), 'line');
  assert.equal(readsBy({...raw, echoes: true}, false), 'key');
  assert.equal(readsBy(raw, true), 'line');
  assert.equal(readsBy(raw, false), undefined);
  assert.equal(readsBy(undefined, false), undefined);
});
