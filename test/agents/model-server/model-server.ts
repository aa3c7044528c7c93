import {once} from 'node:events';
import {type IncomingMessage, type ServerResponse, createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {getPieces, readAnthropic, writeAnthropic} from './anthropic.ts';
import {readChat, writeChat} from './chat.ts';
import {readGemini, wholeGemini, writeGemini} from './gemini.ts';
import {readResponses, writeResponses} from './responses.ts';
import {type Asked, getFields, type Script, type Turn} from './script.ts';

export type ModelServer = {
  readonly url: string;
  /** Whoever asked for an answer, in order. */
  readonly asked: readonly Asked[];
  /** The same as it came. */
  readonly bodies: readonly unknown[];
  /** Whatever else was asked of it: `GET /v1/models`. */
  readonly others: readonly string[];
  readonly close: () => Promise<void>;
};

/** A model on loopback that does what its script says, in the four APIs that the agents speak. */
export async function createModelServer(script: Script): Promise<ModelServer> {
  const asked: Asked[] = [];
  const bodies: unknown[] = [];
  const others: string[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const {pathname} = new URL(request.url ?? '/', 'http://model');
    const body = parse(Buffer.concat(pieces).toString('utf8'));
    const question = request.method === 'POST' ? getQuestion(pathname, body) : undefined;
    if (question === undefined) {
      others.push(`${request.method ?? ''} ${pathname}`);
      answerOther(pathname, response);
      return;
    }

    asked.push(question);
    bodies.push(body);
    const number = asked.length;
    answer(question, await script(question), {
      response,
      number,
      isWhole: pathname.endsWith(':generateContent'),
    });
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.destroy(error as Error);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    bodies,
    others,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function getQuestion(pathname: string, body: unknown): Asked | undefined {
  if (pathname.endsWith('/messages')) return readAnthropic(body);
  if (pathname.endsWith('/responses')) return readResponses(body);
  if (pathname.endsWith('/chat/completions')) return readChat(body);
  const model = /\/models\/([^:/]+):(?:streamGenerateContent|generateContent)$/.exec(pathname)?.[1];
  return model === undefined ? undefined : readGemini(body, model);
}

function answer(
  question: Asked,
  turn: Turn,
  {
    response,
    number,
    isWhole,
  }: {readonly response: ServerResponse; readonly number: number; readonly isWhole: boolean},
): void {
  if (turn.refusal !== undefined) {
    response
      .writeHead(turn.refusal.status, {'content-type': 'application/json', ...turn.refusal.headers})
      .end(JSON.stringify(turn.refusal.body));
    return;
  }

  if (isWhole) {
    response
      .writeHead(200, {'content-type': 'application/json'})
      .end(JSON.stringify(wholeGemini(question, turn)));
    return;
  }

  const events = getEvents(question, turn, number);
  response.writeHead(200, {'content-type': 'text/event-stream', 'cache-control': 'no-cache'});
  for (const event of events.slice(0, toText(turn, events))) response.write(event);
  if (turn.hangs !== true && turn.hangsInText !== true) response.end();
}

/** How many of its events are sent. */
function toText({hangs, hangsInText, text = ''}: Turn, events: readonly string[]): number {
  if (hangs === true) return 1;
  if (hangsInText !== true) return events.length;
  const piece = JSON.stringify(getPieces(text)[0] ?? '').slice(1, -1);
  return events.findIndex((event) => event.includes(piece)) + 1;
}

function getEvents(question: Asked, turn: Turn, number: number): string[] {
  switch (question.api) {
    case 'anthropic':
      return writeAnthropic(question, turn, number);
    case 'responses':
      return writeResponses(question, turn, number);
    case 'chat':
      return writeChat(question, turn, number);
    case 'gemini':
      return writeGemini(question, turn);
  }
}

function answerOther(pathname: string, response: ServerResponse): void {
  const counts = /count_?tokens$/i.test(pathname);
  response
    .writeHead(counts ? 200 : 404, {'content-type': 'application/json'})
    .end(
      JSON.stringify(counts ? {input_tokens: 10, totalTokens: 10} : {error: {message: 'not here'}}),
    );
}

function parse(text: string): unknown {
  try {
    return getFields(JSON.parse(text));
  } catch {
    return {};
  }
}
