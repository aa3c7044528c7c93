import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  keeperProtocol,
  type KeeperReply,
  type KeeperRequest,
  parseExitRecord,
  parseKeeperReply,
  parseKeeperRequest,
  parseLaunch,
  parseMeta,
} from '../../source/protocol/index.ts';

// Frozen for ever: keepers that say and expect exactly this are running somewhere. Add lines; never
// change one.
const frozenRequests: Record<KeeperRequest['type'], string> = {
  hello: '{"type":"hello","protocol":{"min":1,"max":1},"token":"t"}',
  go: '{"type":"go"}',
  attach: '{"type":"attach","from":9007199254740991}',
  detach: '{"type":"detach"}',
  resize: '{"type":"resize","columns":80,"rows":24}',
  signal: '{"type":"signal","name":"SIGTERM"}',
  status: '{"type":"status"}',
  release: '{"type":"release"}',
};

const frozenReplies: Record<KeeperReply['type'], readonly string[]> = {
  welcome: [
    '{"type":"welcome","protocol":1,"session":"s1","phase":"ready","bytes":0,"head":0,"first":0,"columns":80,"rows":24,"lastInput":0}',
    '{"type":"welcome","protocol":1,"session":"s1","phase":"exited","pid":7,"bytes":5,"head":5,"first":0,"columns":80,"rows":24,"lastInput":2,"exit":{"code":null,"signal":"SIGKILL","bytes":5,"at":1700000000000,"mono":"12"}}',
  ],
  status: [
    '{"type":"status","session":"s1","phase":"running","pid":7,"bytes":5,"head":4,"first":4,"columns":80,"rows":24,"lastInput":0,"stalled":"ENOSPC"}',
  ],
  going: ['{"type":"going","pid":7}', '{"type":"going"}'],
  attached: ['{"type":"attached","from":0}'],
  detached: ['{"type":"detached"}'],
  gap: ['{"type":"gap","from":10,"to":20}'],
  typed: ['{"type":"typed","id":3}'],
  resized: ['{"type":"resized","columns":80,"rows":24,"offset":9}'],
  signalled: ['{"type":"signalled","name":"SIGTERM"}'],
  exit: ['{"type":"exit","code":0,"signal":null,"bytes":5,"at":1700000000000,"mono":"12"}'],
  released: ['{"type":"released"}'],
  unsupported: ['{"type":"unsupported","verb":"fly"}'],
  error: [
    '{"type":"error","code":"version","have":{"min":1,"max":1}}',
    '{"type":"error","code":"malformed","verb":"attach"}',
    '{"type":"error","code":"busy","id":3}',
  ],
};

const frozenFiles = {
  launch:
    '{"protocol":1,"session":"s1","argv":["sh","-c","true"],"cwd":"/tmp","env":{"PATH":"/bin"},"columns":80,"rows":24,"cookie":"c","token":"t","socket":"/run/s","log":{"head":4194304,"tail":62914560}}',
  meta: '{"protocol":1,"pid":5,"startTime":99,"bootId":"b","socket":"/run/s","session":"s1","cookie":"c","went":{"at":1700000000000},"child":{"pid":6,"startTime":null,"pts":"/dev/pts/3"}}',
  exit: '{"code":0,"signal":null,"bytes":5,"at":1700000000000,"mono":"12"}',
};

test('version 1 is frozen: every message is read as it always was, and what a later version adds is passed over', () => {
  assert.equal(keeperProtocol, 1);
  for (const text of Object.values(frozenRequests)) {
    assert.deepEqual(parseKeeperRequest(JSON.parse(text)), JSON.parse(text));
    assert.deepEqual(parseKeeperRequest({...JSON.parse(text), later: 1}), JSON.parse(text));
  }

  for (const text of Object.values(frozenReplies).flat()) {
    assert.deepEqual(parseKeeperReply(JSON.parse(text)), JSON.parse(text));
    assert.deepEqual(parseKeeperReply({...JSON.parse(text), later: 1}), JSON.parse(text));
  }

  for (const [reader, text] of [
    [parseLaunch, frozenFiles.launch],
    [parseMeta, frozenFiles.meta],
    [parseExitRecord, frozenFiles.exit],
  ] as const) {
    assert.deepEqual(reader({...JSON.parse(text), later: 1}), {
      fields: JSON.parse(text) as unknown,
    });
  }
});

test('readers never throw and believe nothing: any field that is wrong or missing makes a message none', () => {
  const wrong = [undefined, null, -1, 1.5, 1e99, Number.NaN, 'x\0', [], {}, true, '__proto__'];
  for (const text of [...Object.values(frozenRequests), ...Object.values(frozenReplies).flat()]) {
    const message = JSON.parse(text) as Record<string, unknown>;
    for (const key of Object.keys(message)) {
      const seen = wrong.map((value) => {
        const changed = {...message, [key]: value};
        return [parseKeeperRequest(changed), parseKeeperReply(changed)].map(
          (reading) => reading?.type,
        );
      });
      assert.equal(seen.length, wrong.length);
    }
  }

  assert.deepEqual(parseKeeperRequest({type: 'attach', from: -1}), {
    type: 'malformed',
    verb: 'attach',
  });
  assert.deepEqual(parseKeeperRequest({type: 'hello', protocol: {min: 1}, token: 't'}), {
    type: 'malformed',
    verb: 'hello',
  });
  assert.deepEqual(parseKeeperRequest({type: 'toString'}), {type: 'unsupported', verb: 'toString'});
  assert.equal(parseKeeperReply({type: 'typed'}), undefined);
  assert.equal(parseKeeperReply({type: 'hasOwnProperty'}), undefined);
  for (const value of [undefined, null, 3, 'go', [], ['go'], {}, {type: 3}, {type: ['go']}]) {
    assert.equal(parseKeeperRequest(value).type, 'unsupported');
    assert.equal(parseKeeperReply(value), undefined);
    for (const reader of [parseLaunch, parseMeta, parseExitRecord])
      assert('wrong' in reader(value));
  }
});

test('a bad file is told by its field', () => {
  const launch = JSON.parse(frozenFiles.launch) as object;
  assert.deepEqual(parseLaunch({...launch, argv: []}), {wrong: 'argv'});
  assert.deepEqual(parseLaunch({...launch, env: {'A=B': 'c'}}), {wrong: 'env'});
  assert.deepEqual(parseLaunch([]), {wrong: 'the whole'});
});
