import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {codeLimits, type Codes, createCodes} from '../../../source/daemon/server/one-time-codes.ts';

function open(): {readonly codes: Codes; readonly clock: {now: number}} {
  const clock = {now: 1000};
  return {clock, codes: createCodes({now: () => clock.now})};
}

const request = (digest: string, intent = 'accept-run'): Parameters<Codes['request']>[0] => ({
  digest,
  intent,
  what: `${intent} r1`,
  words: 'pid 7 (node): it is in doubt',
});

describe('a one-time code', () => {
  it('is right for its command, once, however it is typed', () => {
    const {codes} = open();
    const {code} = codes.request(request('a'))!;
    assert.match(code, /^[2-9A-HJ-NP-TV-Y]{4}-[2-9A-HJ-NP-TV-Y]{4}$/);
    assert.equal(codes.use('b', code), 'none', 'of another command');
    assert.equal(codes.use('a', ` ${code.replace('-', '').toLowerCase()} `), 'right');
    assert.equal(codes.use('a', code), 'none', 'again');
    assert.deepEqual(codes.list(), []);
  });

  it('stays the same while it is asked for again, and says how often', () => {
    const {codes} = open();
    const first = codes.request(request('a'))!;
    assert.equal(codes.request(request('a'))?.code, first.code);
    assert.deepEqual(
      codes.list().map(({code, asked}) => [code, asked]),
      [[first.code, 2]],
    );
    assert.notEqual(codes.request(request('b'))?.code, first.code);
  });

  it('is worth nothing at the end of its time, and then another one is given', () => {
    const {codes, clock} = open();
    const {code, until} = codes.request(request('a'))!;
    assert.equal(until, 1000 + codeLimits.validMs);
    clock.now = until;
    assert.equal(codes.use('a', code), 'none');
    assert.deepEqual(codes.list(), []);
    assert.notEqual(codes.request(request('a'))?.code, code);
  });

  it('is given up after some wrong ones, and none is given in its place before its time is over', () => {
    const {codes, clock} = open();
    const {code, until} = codes.request(request('a'))!;
    for (let tries = 0; tries < codeLimits.wrong; tries += 1)
      assert.equal(codes.use('a', '2222-2222'), 'wrong');
    assert.equal(codes.use('a', code), 'none');
    assert.equal(codes.request(request('a')), undefined);
    assert.equal(codes.request(request('b'))?.intent, 'accept-run', 'others are not concerned');
    clock.now = until;
    assert.notEqual(codes.request(request('a')), undefined);
  });

  it('is nothing that an empty word matches', () => {
    const {codes} = open();
    codes.request(request('a'));
    for (const given of ['', '-', ' ', '\0']) assert.equal(createUse(codes)(given), 'wrong');
  });

  it('is worth nothing once the person has refused, for every command of that kind', () => {
    const {codes} = open();
    const [one, two, other] = [
      codes.request(request('a'))!,
      codes.request(request('b'))!,
      codes.request(request('c', 'discard'))!,
    ];
    codes.refuse('accept-run');
    assert.deepEqual(
      [codes.use('a', one.code), codes.use('b', two.code), codes.use('c', other.code)],
      ['none', 'none', 'right'],
    );
  });

  it('is one of few that wait at once', () => {
    const {codes} = open();
    const given = Array.from({length: codeLimits.open + 5}, (_, index) =>
      codes.request(request(String(index))),
    );
    assert.equal(given.filter((one) => one !== undefined).length, codeLimits.open);
    assert.equal(codes.use('0', given[0]!.code), 'right', 'those that are there stay');
  });
});

function createUse(codes: Codes): (given: string) => string {
  return (given) => codes.use('a', given);
}
