import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import {test} from 'node:test';
import {createFilePasting} from '../../../source/app/runtime/create-file-pasting.ts';
import {formatPaste, type PasteEvent} from '../../../source/app/model/pasted-files.ts';
import type {ClipboardImage} from '../../../source/app/app-contract.ts';
import {parseClipboardReply} from '../../../source/app/input/clipboard-reply.ts';
import type {GivenFile, Question} from '../../../source/protocol/index.ts';
import {eventually} from '../../support/eventually.ts';

const png = Buffer.from('89504e470d0a1a0a00', 'hex');
const base64 = png.toString('base64');

type Asked = {readonly question: Question; readonly answer: (files: GivenFile[] | Error) => void};

function start({clipboard, bracketed = true}: {clipboard?: ClipboardImage; bracketed?: boolean}) {
  const typed: string[] = [];
  const happened: PasteEvent[] = [];
  const sent: string[] = [];
  const asked: Asked[] = [];
  const timers: {readonly ms: number; readonly call: () => void}[] = [];
  const removed: string[] = [];
  let settled = 0;
  const pasting = createFilePasting({
    options: {
      ...(clipboard && {readClipboardImage: () => Promise.resolve(clipboard)}),
      saveTemporarily: (bytes) => ({
        file: `/private/${Buffer.from(bytes).toString('hex')}`,
        remove: () => removed.push('removed'),
      }),
    },
    pane: () => ({
      write: (bytes) => typed.push(Buffer.from(bytes).toString()),
      modes: () => ({bracketedPaste: bracketed}) as never,
    }),
    ask: (question) =>
      new Promise((resolve, reject) =>
        asked.push({
          question,
          answer: (files) => {
            if (files instanceof Error) reject(files);
            else resolve({files});
          },
        }),
      ),
    send: (text) => sent.push(text),
    after: (ms, call) => {
      const timer = {ms, call};
      timers.push(timer);
      return () => {
        if (timers.includes(timer)) timers.splice(timers.indexOf(timer), 1);
      };
    },
    happen: (event) => happened.push(event),
    settled: () => settled++,
  });
  const paste = (text: string): boolean =>
    pasting.take('s1', {text, bytes: Buffer.from(`\u001B[200~${text}\u001B[201~`)});
  const done = (): Promise<unknown> => eventually('it is done', () => settled > 0);
  const reply = (text: string): void => {
    const parsed = parseClipboardReply(text);
    assert.ok(parsed !== undefined, text);
    pasting.handleAnswer({
      type: 'answer',
      about: 'clipboard',
      reply: parsed,
      bytes: Buffer.alloc(0),
    });
  };

  const attributes = (): void => {
    pasting.handleAnswer({type: 'answer', about: 'attributes', bytes: Buffer.alloc(0)});
  };

  return {
    pasting,
    paste,
    typed,
    happened,
    sent,
    asked,
    timers,
    removed,
    done,
    reply,
    attributes,
  };
}

test('text, also an image as base64, is not looked at', () => {
  const {paste, asked} = start({});
  for (const text of ['hello', base64, `/9j/${'A'.repeat(20_000)}`, 'see /tmp/x.png', '\u001B[A'])
    assert.equal(paste(text), false);
  assert.deepEqual(asked, []);
});

test('a hidden file is typed as the path of its copy; others keep theirs; later input waits', async () => {
  const {pasting, paste, asked, typed, happened, done} = start({});
  assert.equal(paste("'/tmp/my shot.png' /work/a.ts "), true);
  assert.equal(pasting.isPending('s1'), true);
  assert.equal(pasting.isPending('s2'), false);
  assert.deepEqual(asked[0]?.question, {
    about: 'give-files',
    session: 's1',
    files: ['/tmp/my shot.png', '/work/a.ts'],
  });
  asked[0].answer([
    {at: 'copied', path: '/state/my place/image-1.png'},
    {at: 'shown', path: '/work/a.ts'},
  ]);
  await done();
  assert.deepEqual(typed, ['\u001B[200~/state/my\\ place/image-1.png /work/a.ts \u001B[201~']);
  assert.equal(pasting.isPending('s1'), false);
  assert.deepEqual(happened.map(formatPaste), [
    {
      text: 's1 cannot read my shot.png: it is copied, and the path of the copy typed.',
      isProblem: false,
    },
  ]);
});

test('what is shown or missing is typed as it was pasted, without a notice', async () => {
  for (const at of ['shown', 'missing'] as const) {
    const {paste, asked, typed, happened, done} = start({bracketed: false});
    paste('/help me');
    asked[0]!.answer([{at, path: '/help me'}]);
    await done();
    assert.deepEqual([typed, happened], [['/help me'], []]);
  }
});

test('a file that cannot be copied, a refusal and a daemon that is silent: typed as it was, and said', async () => {
  const blocked = start({});
  blocked.paste('/tmp/big.png');
  blocked.asked[0]!.answer([{at: 'refused', path: '/tmp/big.png', why: 'is larger than 32 MiB'}]);
  await blocked.done();
  assert.deepEqual(blocked.typed, ['\u001B[200~/tmp/big.png\u001B[201~']);
  assert.match(formatPaste(blocked.happened[0]!).text, /big\.png.*it is larger than 32 MiB/);

  const denied = start({});
  denied.paste('/tmp/a.png');
  denied.asked[0]!.answer(new Error('only a person may'));
  await denied.done();
  assert.deepEqual(denied.typed, ['\u001B[200~/tmp/a.png\u001B[201~']);
  assert.match(formatPaste(denied.happened[0]!).text, /typed as it is: only a person may/);

  const silent = start({});
  silent.paste('/tmp/a.png');
  assert.equal(silent.timers.length, 1);
  silent.timers[0]!.call();
  await silent.done();
  assert.deepEqual(silent.typed, ['\u001B[200~/tmp/a.png\u001B[201~']);
});

test('an image of the clipboard is saved, copied, its path typed, and what was saved removed', async () => {
  const {pasting, asked, typed, happened, removed, sent, done} = start({
    clipboard: {at: 'image', bytes: png},
  });
  pasting.pasteImage('s1');
  await eventually('it is asked', () => asked.length === 1);
  assert.deepEqual(asked[0]?.question, {
    about: 'give-files',
    session: 's1',
    files: [`/private/${png.toString('hex')}`],
    copies: 'all',
  });
  asked[0].answer([{at: 'copied', path: '/state/image-1.png'}]);
  await done();
  assert.deepEqual(typed, ['\u001B[200~/state/image-1.png \u001B[201~']);
  assert.deepEqual(
    [happened.map(({type}) => type), removed.length, sent],
    [['image-pasted'], 1, []],
  );
});

test('an empty paste is an image if the clipboard has one, else it is passed on', async () => {
  const empty = start({clipboard: {at: 'no-image', text: 'none'}});
  assert.equal(empty.paste(''), true);
  await empty.done();
  assert.deepEqual([empty.typed, empty.happened], [['\u001B[200~\u001B[201~'], []]);
  const image = start({clipboard: {at: 'image', bytes: png}});
  image.paste('');
  await eventually('it is asked', () => image.asked.length === 1);
  assert.equal(start({}).paste(''), false);
});

test('without a tool the terminal is asked: OSC 5522 where it has it, in parts', async () => {
  const {pasting, asked, sent, reply, attributes, done, typed} = start({
    clipboard: {at: 'unavailable', text: 'no display'},
  });
  pasting.pasteImage('s1');
  await eventually('it is asked', () => sent.length === 1);
  assert.deepEqual(sent, ['\u001B[?5522$p\u001B[c']);
  assert.equal(pasting.expectsReply(), true);
  pasting.handleAnswer({
    type: 'answer',
    about: 'clipboard',
    reply: {from: 'mode', isSupported: true},
    bytes: Buffer.alloc(0),
  });
  attributes();
  assert.equal(sent[1], '\u001B]5522;type=read;aW1hZ2UvcG5n\u001B\\');
  reply('5522;type=read:status=OK');
  reply(`5522;type=read:status=DATA:mime=aW1hZ2UvcG5n;${png.subarray(0, 4).toString('base64')}`);
  reply(`5522;type=read:status=DATA:mime=aW1hZ2UvcG5n;${png.subarray(4).toString('base64')}`);
  reply('5522;type=read:status=DONE');
  await eventually('the image is given', () => asked.length === 1);
  assert.match(JSON.stringify(asked[0]!.question), new RegExp(png.toString('hex')));
  asked[0]!.answer([{at: 'copied', path: '/state/image-1.png'}]);
  await done();
  assert.equal(typed.length, 1);
  assert.equal(pasting.expectsReply(), false);
});

test('OSC 52 elsewhere: an image is taken, text is not, and silence has an end', async () => {
  const image = start({});
  image.pasting.pasteImage('s1');
  await eventually('it is asked', () => image.sent.length === 1);
  image.attributes();
  assert.equal(image.sent[1], '\u001B]52;c;?\u0007');
  image.reply(`52;c;${base64}`);
  await eventually('the image is given', () => image.asked.length === 1);

  const text = start({});
  text.pasting.pasteImage('s1');
  await eventually('it is asked', () => text.sent.length === 1);
  text.attributes();
  text.reply(`52;c;${btoa('only text')}`);
  await text.done();
  assert.match(formatPaste(text.happened[0]!).text, /No image for s1: there is no image in the/);

  const silent = start({clipboard: {at: 'unavailable', text: 'no display'}});
  silent.pasting.pasteImage('s1');
  await eventually('it is asked', () => silent.sent.length === 1);
  silent.timers.pop()!.call();
  silent.timers.pop()!.call();
  await silent.done();
  assert.match(
    formatPaste(silent.happened[0]!).text,
    /no display; the terminal did not send its clipboard\. Drag a file .* orchestra send s1 --file -/,
  );
  assert.deepEqual([silent.typed, silent.asked], [[], []]);
});

test('a refusal of the terminal is said', async () => {
  const {pasting, reply, sent, happened, attributes, done} = start({});
  pasting.pasteImage('s1');
  await eventually('it is asked', () => sent.length === 1);
  pasting.handleAnswer({
    type: 'answer',
    about: 'clipboard',
    reply: {from: 'mode', isSupported: true},
    bytes: Buffer.alloc(0),
  });
  attributes();
  reply('5522;type=read:status=EPERM');
  await done();
  assert.match(formatPaste(happened[0]!).text, /the terminal denied access/);
});
