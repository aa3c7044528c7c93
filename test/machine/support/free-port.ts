import net from 'node:net';

/** Below the range from which the system gives ports to connections, so that nobody gets it by chance between two starts. */
const first = 20_000;
const count = 10_000;

/** A port on which nobody listens, of no address, and which no other test is given until this process ends. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * count);
    const claim = await listen(claimOf(port));
    if (claim === undefined) continue;
    const server = await listen({port});
    if (server !== undefined) {
      claim.unref();
      await new Promise((resolve) => server.close(resolve));
      return port;
    }

    claim.close();
  }
}

/** A name without a file, in the same network namespace as the port: the kernel gives it to one process, and takes it back when that has ended. */
function claimOf(port: number): net.ListenOptions {
  return process.platform === 'linux' ? {path: `\0orchestra-test-port-${port}`} : {port: 0};
}

function listen(options: net.ListenOptions): Promise<net.Server | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => {
      resolve(undefined);
    });
    server.listen(options, () => {
      resolve(server);
    });
  });
}
