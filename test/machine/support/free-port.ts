import net from 'node:net';

/** Below the range from which the system gives ports to connections, so that nobody gets it by chance between two starts. */
const first = 20_000;
const count = 10_000;

/** A port on which nobody listens, of no address. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * count);
    if (await canListen(port)) return port;
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
