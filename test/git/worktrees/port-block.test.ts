import assert from 'node:assert/strict';
import net from 'node:net';
import {describe, it} from 'node:test';
import {
  allocatePortBlock,
  freePortBlock,
  isPortBlockFree,
  portVariables,
} from '../../../source/git/index.ts';
import {eventually} from '../../support/eventually.ts';

describe('the ports of a worktree', () => {
  it('are a block of their own, told in the environment', () => {
    assert.deepEqual(
      [0, 1, 7].map((number) => allocatePortBlock(number, {from: 4000, perTask: 10})),
      [
        {first: 4000, last: 4009},
        {first: 4010, last: 4019},
        {first: 4070, last: 4079},
      ],
    );
    assert.deepEqual(portVariables({first: 4010, last: 4019}), {
      PORT: '4010',
      ORCHESTRA_PORT_FIRST: '4010',
      ORCHESTRA_PORT_LAST: '4019',
    });
    assert.throws(
      () => allocatePortBlock(3, {from: 65_510, perTask: 10}),
      /it would be 65540 to 65549\. Start lower/,
    );
  });

  it('are free when nobody listens on them and nobody was given them', async () => {
    const server = net.createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const {port} = server.address() as net.AddressInfo;
    try {
      assert.equal(await isPortBlockFree({first: port, last: port}), false);
      const block = await freePortBlock({
        from: port,
        perTask: 1,
        taken: [{first: port + 1, last: port + 1}],
      });
      assert.equal(block.first > port + 1, true);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }

    // Somebody else on this machine may be given the number in between, for a moment.
    await eventually('the port is free', () => isPortBlockFree({first: port, last: port}));
  });
});
