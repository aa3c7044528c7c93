import type {ToolServerCommand} from './command.ts';

/**
 * An extension for pi that registers the tools of these servers, each as `server_tool`. It is
 * written for every session and loaded by pi, so it is text here. It talks JSON-RPC with each
 * server, one message a line, as long as the session lasts.
 */
export function buildPiExtension(servers: readonly ToolServerCommand[]): string {
  return `${head}\nconst servers = ${JSON.stringify(servers)};\n${body}`;
}

/**
 * An extension for pi that appends a signal to the signals file when a turn begins or ends. Pi
 * repeats a failed request by itself after a pause that doubles each time, and does not tell its
 * extensions; so a failure is reported only if no repetition followed. A turn that the person
 * interrupted goes on with their next prompt.
 */
export const piSignalsExtension = `import {appendFileSync} from 'node:fs';

const retryPauseMs = 2000;

export default function (pi) {
  const file = process.env.ORCHESTRA_SIGNALS;
  const write = (signal, ctx, more = {}) => {
    try {
      if (file) appendFileSync(file, JSON.stringify({signal, conversation: ctx.sessionManager.getSessionId(), ...more}) + '\\n');
    } catch {
      // A signal that cannot be written must not disturb the session.
    }
  };
  let failures = 0;
  let timer;
  pi.on('session_start', (_event, ctx) => write('started', ctx));
  pi.on('session_shutdown', (_event, ctx) => write('ended', ctx));
  pi.on('agent_start', (_event, ctx) => {
    clearTimeout(timer);
    write('turn-began', ctx);
  });
  pi.on('agent_end', ({messages = []}, ctx) => {
    const last = messages.filter(({role}) => role === 'assistant').at(-1);
    const parts = Array.isArray(last?.content) ? last.content : [];
    const words = parts.filter(({type}) => type === 'text').map(({text}) => text).join('\\n');
    if (last?.stopReason === 'aborted') return;
    if (last?.stopReason !== 'error') {
      failures = 0;
      write('turn-ended', ctx, {words});
      return;
    }
    const pauseMs = retryPauseMs * 2 ** Math.min(failures, 5) + 1000;
    failures += 1;
    timer = setTimeout(() => {
      failures = 0;
      write('turn-ended', ctx, {words, error: last.errorMessage ?? 'unknown'});
    }, pauseMs);
  });
}
`;

const head = `import {spawn} from 'node:child_process';
import {createInterface} from 'node:readline';
`;

const body = `
export default async function (pi) {
  await Promise.all(servers.map((server) => registerTools(pi, server).catch((error) => console.error(server.name + ': ' + error.message))));
}

async function registerTools(pi, {name, command, args, env}) {
  const {request, notify, close} = connect(name, spawn(command, args, {stdio: ['pipe', 'pipe', 'ignore'], env: {...process.env, ...env}}));
  pi.on('session_shutdown', close);
  await request('initialize', {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'pi', version: '1'}});
  notify('notifications/initialized', {});
  const {tools} = await request('tools/list', {});
  for (const tool of tools) {
    pi.registerTool({
      name: name + '_' + tool.name, label: tool.name, description: tool.description ?? tool.name, parameters: tool.inputSchema,
      execute: async (_id, params, signal) => {
        const {content, isError} = await request('tools/call', {name: tool.name, arguments: params}, signal);
        const shown = content.filter(({type}) => type === 'text' || type === 'image');
        if (isError) throw new Error(shown.map(({text}) => text ?? '').join('\\n'));
        return {content: shown, details: {}};
      },
    });
  }
}

function connect(name, child) {
  const waiting = new Map();
  let count = 0;
  const end = (error) => {
    for (const {reject} of waiting.values()) reject(error);
    waiting.clear();
  };
  const send = (message) => child.stdin.write(JSON.stringify({jsonrpc: '2.0', ...message}) + '\\n');
  child.on('error', end).on('exit', () => end(new Error(name + ' has ended')));
  child.stdin.on('error', () => undefined);
  createInterface({input: child.stdout}).on('line', (line) => {
    try {
      const {id, result, error} = JSON.parse(line);
      const one = waiting.get(id);
      waiting.delete(id);
      if (error !== undefined) one?.reject(new Error(error.message));
      else one?.resolve(result);
    } catch {
      // Not a message.
    }
  });
  return {
    notify: (method, params) => send({method, params}),
    close: () => child.stdin.end(),
    request: (method, params, signal) => new Promise((resolve, reject) => {
      const id = (count += 1);
      waiting.set(id, {resolve, reject});
      signal?.addEventListener('abort', () => {
        send({method: 'notifications/cancelled', params: {requestId: id}});
        waiting.delete(id);
        reject(new Error('cancelled'));
      }, {once: true});
      send({id, method, params});
    }),
  };
}
`;
