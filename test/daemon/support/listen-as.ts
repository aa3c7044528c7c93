import os from 'node:os';
import path from 'node:path';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import type {TestContext} from 'node:test';
import type {DaemonAddress} from '../../../source/client/index.ts';
import {makeServer, serve, type Serving} from '../../../source/daemon/server/serve.ts';
import type {SocketService} from '../../../source/daemon/server/service.ts';

export type Listener = {readonly address: DaemonAddress; readonly serving: Serving};

/** The daemon's own server on a real socket, with answers of the test's own. */
export async function listenAs(
  t: Pick<TestContext, 'after'>,
  service: Partial<SocketService> & Pick<SocketService, 'answer'>,
  limits?: Parameters<typeof serve>[2],
): Promise<Listener> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-serve-'));
  const socket = path.join(directory, 's');
  const server = makeServer();
  const serving = await serve(
    server,
    {authenticate: () => ({}), build: 'test', seq: () => 0, ...service},
    limits,
  );
  server.listen(socket);
  await once(server, 'listening');
  t.after(async () => {
    await serving.close(0);
    rmSync(directory, {recursive: true, force: true});
  });
  return {serving, address: {socket, token: 'token', build: 'test'}};
}
