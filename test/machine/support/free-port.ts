import net from 'node:net';
import {takeLock} from '../../../source/daemon/take-lock.ts';

/** Below the range from which the system gives ports to connections, so that nobody gets it by chance between two starts. */
const first = 20_000;
const count = 10_000;

/** A port on which nobody listens, of no address. As long as this process lives no other test is given it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * count);
    if ((await takeLock(`\0orchestra-test-port-${port}`)) !== undefined && (await canListen(port)))
      return port;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
