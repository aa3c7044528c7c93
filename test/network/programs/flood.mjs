// Asks the proxy for as many different hosts as it is told, one after the other.
import {connect} from 'node:net';
import process from 'node:process';

for (let number = 0; number < Number(process.argv[2]); number += 1) {
  await new Promise((resolve) => {
    const socket = connect(61_080, '127.0.0.1', () =>
      socket.write(`CONNECT h${number}.example:443 HTTP/1.1\r\n\r\n`),
    );
    socket.on('data', () => undefined);
    socket.on('close', resolve);
  });
}
