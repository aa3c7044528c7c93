import assert from 'node:assert/strict';
import {createServer} from 'node:net';
import {describe, test} from 'node:test';
import {eventually} from '../support/eventually.ts';
import {listen, openFront, talk, webServer} from './support.ts';

describe('a proxy lets through what is listed:', () => {
  test('a page in plain HTTP, with its body, its answer and its host', async (t) => {
    const web = await webServer(t, 'web');
    const front = await openFront(t, [`127.0.0.1:${web.port}`]);
    const one = talk(t, front.port);
    one.write(
      `POST http://127.0.0.1:${web.port}/x HTTP/1.1\r\nHost: 127.0.0.1:${web.port}\r\nProxy-Authorization: Basic c2VjcmV0\r\nContent-Length: 4\r\n\r\nbody`,
    );
    await one.until(/web says \/x 127\.0\.0\.1:\d+ body/);
    assert.deepEqual(web.asked, [`POST /x 127.0.0.1:${web.port} body`]);
  });

  test('a body in chunks', async (t) => {
    const web = await webServer(t, 'web');
    const front = await openFront(t, [`127.0.0.1:${web.port}`]);
    const one = talk(t, front.port);
    one.write(
      `POST http://127.0.0.1:${web.port}/x HTTP/1.1\r\nHost: 127.0.0.1:${web.port}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`,
    );
    one.write('2\r\nde\r\n0\r\n\r\n');
    await one.until(/web says \/x \S+ abcde/);
  });

  test('a tunnel, both ways, with what came early, and with half of it ended', async (t) => {
    const echo = createServer({allowHalfOpen: true}, (socket) => {
      let text = '';
      socket.on('data', (piece) => {
        text += piece.toString();
      });
      socket.on('end', () => {
        socket.end(`heard ${text}`);
      });
    });
    const port = await listen(t, echo);
    const front = await openFront(t, [`127.0.0.1:${port}`]);
    const one = talk(t, front.port);
    one.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: whatever\r\n\r\nearly `);
    await one.until(/200 Connection established/);
    one.socket.end('late');
    await one.until(/heard early late/);
    await eventually('nothing is open', () => front.proxy.connections() === 0);
  });

  test('a listed name, by any of its addresses that may be reached', async (t) => {
    const web = await webServer(t, 'web');
    const front = await openFront(t, [`web.example:${web.port}`, `127.0.0.1:${web.port}`], {
      names: {'web.example': ['10.0.0.1', '127.0.0.1']},
    });
    const one = talk(t, front.port);
    one.write(
      `GET http://web.example:${web.port}/ HTTP/1.1\r\nHost: web.example:${web.port}\r\n\r\n`,
    );
    await one.until(/web says \/ web\.example:\d+/);
  });

  test('SOCKS 5, in one piece and byte by byte', async (t) => {
    const web = await webServer(t, 'web');
    const front = await openFront(t, [`127.0.0.1:${web.port}`]);
    const request = Buffer.from([
      5,
      1,
      0,
      5,
      1,
      0,
      1,
      127,
      0,
      0,
      1,
      web.port >> 8,
      web.port & 0xff,
    ]);
    const page = Buffer.from('GET /socks HTTP/1.1\r\nHost: h\r\n\r\n');
    const whole = talk(t, front.port);
    whole.write(Buffer.concat([request, page]));
    await whole.until(/web says \/socks/);
    const slow = talk(t, front.port);
    slow.socket.setNoDelay(true);
    for (const byte of request) {
      slow.write(Buffer.from([byte]));
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }

    await slow.until(/^\u0005\0\u0005\0/);
    slow.write(page);
    await slow.until(/web says \/socks/);
  });
});

describe('a proxy refuses, and says why:', () => {
  test('a host that is not listed, by each way to ask, without asking any name server', async (t) => {
    const questions: string[] = [];
    const front = await openFront(t, ['a.example'], {
      resolve: (name) => {
        questions.push(name);
        return Promise.resolve(['127.0.0.1']);
      },
    });
    const [tunnel, page, socks] = [talk(t, front.port), talk(t, front.port), talk(t, front.port)];
    tunnel.write('CONNECT evil.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n');
    page.write('GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n');
    socks.write(
      Buffer.concat([
        Buffer.from([5, 1, 0, 5, 1, 0, 3, 12]),
        Buffer.from('evil.example'),
        Buffer.from([1, 187]),
      ]),
    );
    assert.match(
      await tunnel.ended(),
      /^HTTP\/1\.1 403 .*orchestra: the network refused evil\.example:443: it is not among the hosts/s,
    );
    assert.match(
      await page.ended(),
      /^HTTP\/1\.1 403 .*orchestra: the network refused evil\.example:80/s,
    );
    assert.match(await socks.ended(), /^\u0005\0\u0005\u0002/);
    assert.deepEqual(front.rejected.toSorted(), [
      'evil.example:443 not-listed',
      'evil.example:443 not-listed',
      'evil.example:80 not-listed',
    ]);
    assert.deepEqual(questions, []);
  });

  test('a listed name that leads to this machine, and one that does so only the second time', async (t) => {
    const web = await webServer(t, 'web');
    let questions = 0;
    const front = await openFront(t, [`rebinds.example:${web.port}`], {
      resolve: () =>
        Promise.resolve(
          [['127.0.0.1'], ['::ffff:127.0.0.1'], ['::1'], ['0.0.0.0'], ['169.254.169.254']][
            questions++
          ] ?? [],
        ),
    });
    for (let round = 0; round < 5; round += 1) {
      const one = talk(t, front.port);
      one.write(`CONNECT rebinds.example:${web.port} HTTP/1.1\r\n\r\n`);
      assert.match(
        await one.ended(),
        /^HTTP\/1\.1 403 .*leads to this machine or a private network/s,
      );
    }

    assert.equal(
      questions,
      5,
      'each connection asks once: what was checked is what is connected to',
    );
    assert.deepEqual(web.asked, []);
  });

  test('another host over a connection that was good for one', async (t) => {
    const web = await webServer(t, 'web');
    const other = await webServer(t, 'other');
    const front = await openFront(t, [`127.0.0.1:${web.port}`]);
    const one = talk(t, front.port);
    one.write(`GET http://127.0.0.1:${web.port}/1 HTTP/1.1\r\nHost: 127.0.0.1:${web.port}\r\n\r\n`);
    await one.until(/web says \/1/);
    one.write(
      `GET http://127.0.0.1:${other.port}/2 HTTP/1.1\r\nHost: 127.0.0.1:${other.port}\r\n\r\n`,
    );
    await one.until(/403 Forbidden/);
    assert.deepEqual(
      [other.asked, front.rejected],
      [[], [`127.0.0.1:${other.port} port-not-listed`]],
    );
  });

  const smuggled: readonly (readonly [name: string, request: (port: number) => string])[] = [
    [
      'a Host that is another than the address',
      (port) => `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: evil.example\r\n\r\n`,
    ],
    [
      'two Hosts',
      (port) =>
        `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.example\r\n\r\n`,
    ],
    [
      'a length and chunks',
      (port) =>
        `POST http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n`,
    ],
    [
      'two lengths',
      (port) =>
        `POST http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 0\r\nContent-Length: 30\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n`,
    ],
    [
      'a header over two lines',
      (port) =>
        `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX: a\r\n b\r\nX : c\r\n\r\n`,
    ],
    [
      'a bare line end in a header',
      (port) =>
        `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX: a\rGET /smuggled\r\n\r\n`,
    ],
    [
      'a NUL in a header',
      (port) =>
        `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX: a\0b\r\n\r\n`,
    ],
    ['an address without a host', () => 'GET /etc/passwd HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
    [
      'an address with a login',
      (port) => `GET http://127.0.0.1:${port}@evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n`,
    ],
    [
      'an address of another kind',
      () => 'GET ftp://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    ],
    ['a tunnel to no port', () => 'CONNECT evil.example HTTP/1.1\r\n\r\n'],
    ['no HTTP at all', () => 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['SOCKS 4', () => '\u0004\u0001\0P\u007F\0\0\u0001\0'],
  ];
  for (const [name, request] of smuggled) {
    test(name, async (t) => {
      const web = await webServer(t, 'web');
      const front = await openFront(t, [`127.0.0.1:${web.port}`]);
      const one = talk(t, front.port);
      one.write(Buffer.from(request(web.port), 'latin1'));
      assert.match(await one.ended(), /^HTTP\/1\.1 40[03] /);
      assert.deepEqual(web.asked, []);
    });
  }

  test('SOCKS: listening, UDP, a login, too many bytes', async (t) => {
    const front = await openFront(t, ['a.example']);
    for (const [bytes, answer] of [
      [[5, 1, 0, 5, 2, 0, 1, 127, 0, 0, 1, 0, 80], /^\u0005\0\u0005\u0007/],
      [[5, 1, 0, 5, 3, 0, 1, 127, 0, 0, 1, 0, 80], /^\u0005\0\u0005\u0007/],
      [[5, 1, 2], /^\u0005\u00FF/],
      [[5, 255, ...new Array<number>(2000).fill(0)], /^/],
    ] as const) {
      const one = talk(t, front.port);
      one.write(Buffer.from(bytes));
      assert.match(await one.ended(), answer);
    }

    await eventually('nothing is open', () => front.proxy.connections() === 0);
  });
});

describe('a proxy has bounds:', () => {
  test('headers that are too long', async (t) => {
    const front = await openFront(t, ['a.example']);
    const one = talk(t, front.port);
    one.write(
      `GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    );
    assert.match(await one.ended(), /^HTTP\/1\.1 4\d\d /);
  });

  test('who says nothing, who says it slowly, and who stops in the middle of a handshake', async (t) => {
    const front = await openFront(t, ['a.example'], {limits: {requestMs: 300}});
    const [silent, slow, socks] = [talk(t, front.port), talk(t, front.port), talk(t, front.port)];
    slow.write('GET http://a.example/ HTTP/1.1\r\nX');
    socks.write(Buffer.from([5, 1, 0, 5, 1]));
    await Promise.all([silent.ended(), slow.ended(), socks.ended()]);
    await eventually('nothing is open', () => front.proxy.connections() === 0);
  });

  test('a thousand connections: so many are served, the others end at once, and later ones are served again', async (t) => {
    const web = await webServer(t, 'web');
    const front = await openFront(t, [`127.0.0.1:${web.port}`], {limits: {connections: 20}});
    const many = Array.from({length: 1000}, () => talk(t, front.port));
    await eventually(
      'the others have ended',
      async () => {
        const over = many.filter(
          ({socket}) => socket.destroyed || socket.readableEnded || socket.closed,
        );
        return Promise.resolve(over.length >= 980);
      },
      60_000,
    );
    assert.ok(front.proxy.connections() <= 20);
    for (const {socket} of many) socket.destroy();
    await eventually('nothing is open', () => front.proxy.connections() === 0);
    const one = talk(t, front.port);
    one.write(
      `GET http://127.0.0.1:${web.port}/after HTTP/1.1\r\nHost: 127.0.0.1:${web.port}\r\n\r\n`,
    );
    await one.until(/web says \/after/);
  });

  test('whoever reads nothing is not read for: what waits is bounded', async (t) => {
    let sent = 0;
    const flood = createServer((socket) => {
      const piece = Buffer.alloc(64 * 1024);
      const more = (): void => {
        while (socket.writable && sent < 1e9) {
          sent += piece.length;
          if (!socket.write(piece)) break;
        }
      };

      socket.on('drain', more);
      more();
    });
    const port = await listen(t, flood);
    const front = await openFront(t, [`127.0.0.1:${port}`]);
    const one = talk(t, front.port);
    one.socket.pause();
    one.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`);
    let before = -1;
    await eventually('nothing more is sent', () => {
      const isUnchanged = sent > 0 && sent === before;
      before = sent;
      return isUnchanged;
    });
    assert.ok(sent < 64 * 1024 * 1024, `${sent} bytes`);
  });
});
