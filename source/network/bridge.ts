import {createServer, type Server} from 'node:net';

/**
 * Inside of the sandbox, before its program: listens on the loopback of the sandbox's own network and hands the sockets out to
 * the supervisor, which accepts and answers. Resolves when it has them all.
 */
export async function bridge(ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    for (const host of ['127.0.0.1', '::1']) {
      const server = await listen(host, port);
      if (server !== undefined) await send({port}, server);
    }
  }

  const answered = new Promise<void>((resolve, reject) => {
    process.once('message', () => {
      resolve();
    });
    process.once('disconnect', () => {
      reject(new Error('the supervisor has gone'));
    });
  });
  await send('done');
  await answered;
}

/** Nothing where the kernel has no IPv6; IPv4 must be there. */
function listen(host: string, port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      if (host === '::1') resolve(undefined);
      else reject(error);
    });
    // Nobody is accepted here: whoever connects waits until the supervisor does.
    server.listen({host, port, backlog: 128, ipv6Only: true}, () => {
      resolve(server);
    });
  });
}

function send(message: object | string, server?: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    if (process.send === undefined) reject(new Error('expected to be started by the supervisor'));
    else
      process.send(message, server, {}, (error: Error | null) => {
        if (error === null) resolve();
        else reject(error);
      });
  });
}
