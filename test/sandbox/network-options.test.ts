import assert from 'node:assert/strict';
import {test} from 'node:test';
import {socketFilter} from '../../source/sandbox/index.ts';

const allowed = 0x7fff_0000;
const rejected = (errno: number): number => 0x0005_0000 + errno;

/**
 * What the kernel would answer: the few instructions of classic BPF that there are, run by hand.
 */
function answer(
  program: Buffer,
  data: {readonly arch: number; readonly number: number; readonly first?: number},
): number {
  const text: Readonly<Record<number, number>> = {
    0: data.number,
    4: data.arch,
    16: data.first ?? 0,
  };
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const [code, yes, no, value] = [
      program.readUInt16LE(at * 8),
      program.readUInt8(at * 8 + 2),
      program.readUInt8(at * 8 + 3),
      program.readUInt32LE(at * 8 + 4),
    ];
    if (code === 0x06) return value;
    if (code === 0x20) {
      assert.ok(value in text, `reads at ${value}`);
      accumulator = text[value]!;
    } else if (code === 0x15) {
      at += accumulator === value ? yes : no;
    } else {
      assert.equal(code, 0x35);
      at += accumulator >= value ? yes : no;
    }
  }

  throw new Error('it runs over its end');
}

const machines = [
  {name: 'x64', arch: 0xc000_003e, socket: 41, compat: 0x4000_0003, compatDenied: [102, 359]},
  {name: 'arm64', arch: 0xc000_00b7, socket: 198, compat: 0x4000_0028, compatDenied: [281]},
];

for (const {name, arch, socket, compat, compatDenied} of machines) {
  test(`on ${name} only the families that a network namespace confines can be had`, () => {
    const program = socketFilter(name)!;
    for (let family = 0; family < 64; family += 1)
      assert.equal(
        answer(program, {arch, number: socket, first: family}),
        [1, 2, 10, 16].includes(family) ? allowed : rejected(97),
        `family ${family}`,
      );
    for (let number = 0; number < 600; number += 1) {
      if (number !== socket)
        assert.equal(
          answer(program, {arch, number, first: 40}),
          number === 425 ? rejected(38) : allowed,
          `system call ${number}`,
        );
      assert.equal(
        answer(program, {arch: compat, number, first: 40}),
        [...compatDenied, 425].includes(number) ? rejected(38) : allowed,
        `32-bit system call ${number}`,
      );
    }

    assert.equal(answer(program, {arch: 0x1234, number: socket, first: 2}), rejected(38));
  });
}

test('the other ABI of x64 is not there', () => {
  assert.equal(
    answer(socketFilter('x64')!, {arch: 0xc000_003e, number: 0x4000_0000 + 41, first: 2}),
    rejected(38),
  );
});

test('of other machines nothing is claimed', () => {
  assert.equal(socketFilter('riscv64'), undefined);
});
