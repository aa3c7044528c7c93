// Says bytes that a test made at a socket, and writes down what came back.
// ask.mjs SOCKET BYTES RESULT COUNT [leave | hand-on HOLDER]
import {readFileSync, renameSync, writeFileSync} from 'node:fs';
import {connect} from 'node:net';
import process from 'node:process';

const [file, bytes, result, count, how] = process.argv.slice(2);
const note = (text) => {
  writeFileSync(`${result}.new`, text, 'latin1');
  renameSync(`${result}.new`, result);
};

const socket = connect(file);
let heard = '';
socket.on('error', (error) => note(`error: ${error.message}`));
socket.on('data', (chunk) => {
  heard += chunk.toString('latin1');
  if ((heard.match(/"type":"(answer|refusal)","id":/g) ?? []).length >= Number(count)) note(heard);
});
socket.on('connect', () => {
  socket.write(readFileSync(bytes), () => {
    if (how !== 'leave') return;
    note('left');
    process.exit(0);
  });
});
