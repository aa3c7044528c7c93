import {once} from 'node:events';
import {rmSync} from 'node:fs';
import {type Socket, createServer} from 'node:net';
import {parseClientMessage} from '../../../source/daemon/server/schemas/client-messages.ts';
import {createFrameReader, encodeMessage} from '../../../source/protocol/index.ts';

export type Question = {
  readonly tool: string;
  readonly input: unknown;
  readonly call: string;
  readonly waitMs?: number;
};

export type Answer =
  | {readonly text: string; readonly isError?: boolean}
  | {readonly rejected: string}
  | 'hangs'
  | 'drops';

export type PretendDaemon = {
  readonly asked: readonly Question[];
  /** How many connections there are now. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};

/** The daemon's socket for agents, with answers that the test makes up. */
export async function createPretendDaemon(
  socket: string,
  token: string,
  answer: (question: Question) => Answer,
): Promise<PretendDaemon> {
  const asked: Question[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client.on('close', () => sockets.delete(client)).on('error', () => undefined);
    const reader = createFrameReader();
    client.on('data', (chunk: Buffer) => {
      for (const frame of reader.read(chunk).frames) {
        const message = frame.kind === 'control' ? parseClientMessage(frame.value) : undefined;
        if (message?.type === 'hello') {
          if (message.token === token)
            client.write(
              encodeMessage({type: 'welcome', protocol: 1, build: 'test', pid: 1, seq: 0}),
            );
          else
            client.end(
              encodeMessage({type: 'error', code: 'token', text: 'the session s7 is over'}),
            );
        } else if (message !== undefined) {
          const question = message.question as unknown as Question;
          asked.push(question);
          reply(client, message.id, answer(question));
        }
      }
    });
  });
  rmSync(socket, {force: true});
  server.listen(socket);
  await once(server, 'listening');
  return {
    asked,
    connections: () => sockets.size,
    close: async () => {
      for (const client of sockets) client.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function reply(client: Socket, id: number, answer: Answer): void {
  if (answer === 'hangs') return;
  if (answer === 'drops') client.destroy();
  else
    client.write(
      encodeMessage(
        'rejected' in answer
          ? {type: 'refusal', id, text: answer.rejected}
          : {type: 'answer', id, value: answer},
      ),
    );
}
