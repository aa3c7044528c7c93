// Tries to reach something, in one of several ways, and prints what came of it.
import {Buffer} from 'node:buffer';
import {createSocket} from 'node:dgram';
import {lookup} from 'node:dns';
import {connect} from 'node:net';
import process from 'node:process';
import {setTimeout} from 'node:timers';

const [way, first = '', second = '', third = ''] = process.argv.slice(2);
const say = (text) => {
  process.stdout.write(`${text}\n`);
  process.exit(0);
};
const patience = setTimeout(() => say('no answer'), 5000);
patience.unref();

/** Sends bytes and prints the beginning of the answer. */
function exchange(options, bytes) {
  const socket = connect(options);
  let answer = '';
  socket.on('connect', () => socket.write(bytes));
  socket.on('data', (piece) => {
    answer += piece.toString('latin1');
    if (/said the secret|HTTP\/1\.1 4\d\d|hello/.test(answer)) say(answer.slice(0, 400));
  });
  socket.on('error', (error) => say(error.code ?? error.message));
  socket.on('close', () =>
    say(
      answer === ''
        ? 'closed'
        : Buffer.from(answer, 'latin1').toString('hex').startsWith('05')
          ? `socks ${Buffer.from(answer, 'latin1').toString('hex')}`
          : answer.slice(0, 400),
    ),
  );
  setTimeout(
    () =>
      say(answer === '' ? 'no answer' : `socks ${Buffer.from(answer, 'latin1').toString('hex')}`),
    4000,
  );
}

const unescape = (text) =>
  Buffer.from(
    text
      .replaceAll('\\r', '\r')
      .replaceAll('\\n', '\n')
      .replaceAll(/\\x([0-9a-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

if (way === 'tcp')
  exchange(
    {host: first, port: Number(second)},
    unescape(third || 'GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'),
  );
else if (way === 'unix') exchange({path: first.replace(/^@/, '\0')}, 'hello?');
else if (way === 'resolve')
  lookup(first, (error, address) => say(error === null ? address : error.code));
else if (way === 'udp') {
  const socket = createSocket(first.includes(':') ? 'udp6' : 'udp4');
  socket.on('message', (message) => say(String(message)));
  socket.on('error', (error) => say(error.code));
  socket.connect(Number(second), first, () =>
    socket.send('hello?', (error) => {
      if (error) say(error.code);
    }),
  );
} else say(`there is no way ${way}`);
