import {createServer, type Server} from 'node:net';

export type Lock = {readonly release: () => Promise<void>};

/**
 * A lock that the kernel keeps and that dies with its holder: a socket in Linux's abstract namespace, which no file
 * stands for. Elsewhere the name is a path, and whoever finds it taken asks the holder whether it lives.
 * Nothing when another process has it.
 */
export async function takeLock(name: string): Promise<Lock | undefined> {
  const server = createServer((socket) => socket.destroy());
  const isOurs = await listen(server, name);
  if (!isOurs) return undefined;
  server.unref();
  return {
    release: () =>
      new Promise((resolve) =>
        server.close(() => {
          resolve();
        }),
      ),
  };
}

function listen(server: Server, name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('listening', () => {
      resolve(true);
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen(name);
  });
}
