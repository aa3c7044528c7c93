// Sends one input to the keeper on the socket argv[2], says so, and hears nothing. The test kills
// it.
import net from 'node:net';
import process from 'node:process';
import {Buffer} from 'node:buffer';
import {encodeMessage, encodeNumbered} from '../../../source/protocol/index.ts';

const [socketPath = '', token = '', id = '', text = ''] = process.argv.slice(2);
const socket = net.connect(socketPath, () => {
  socket.write(encodeMessage({type: 'hello', protocol: {min: 1, max: 1}, token}));
  socket.write(encodeNumbered('input', Number(id), Buffer.from(text)), () => {
    process.stdout.write('sent\n');
  });
});
