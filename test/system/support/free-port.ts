import net from 'node:net';
import {takeLock} from '../../../source/daemon/startup/lock.ts';

/** Below the ephemeral port range, so that no connection gets the port by chance. */
const first = 20_000;
const count = 10_000;

/** A port without a listener on any address. No other test gets it while this process runs. */
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
