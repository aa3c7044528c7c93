import type {ToolServerCommand} from './tool-servers-of.ts';

/**
 * An extension for pi that brings the tools of these servers, each named `server_tool`. It is written for every session anew and
 * read by pi alone, so it stands here as text: it speaks to each server, a message a line, for as long as the session lasts.
 */
export function piExtensionOf(servers: readonly ToolServerCommand[]): string {
  return `${head}\nconst servers = ${JSON.stringify(servers)};\n${body}`;
}

const head = `import {spawn} from 'node:child_process';
import {createInterface} from 'node:readline';
`;

const body = `
export default async function (pi) {
  await Promise.all(servers.map((server) => bring(pi, server).catch((error) => console.error(server.name + ': ' + error.message))));
}

async function bring(pi, {name, command, args, env}) {
  const {ask, tell, leave} = converse(name, spawn(command, args, {stdio: ['pipe', 'pipe', 'ignore'], env: {...process.env, ...env}}));
  pi.on('session_shutdown', leave);
  await ask('initialize', {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'pi', version: '1'}});
  tell('notifications/initialized', {});
  const {tools} = await ask('tools/list', {});
  for (const tool of tools) {
    pi.registerTool({
      name: name + '_' + tool.name, label: tool.name, description: tool.description ?? tool.name, parameters: tool.inputSchema,
      execute: async (_id, params, signal) => {
        const {content, isError} = await ask('tools/call', {name: tool.name, arguments: params}, signal);
        const said = content.filter(({type}) => type === 'text' || type === 'image');
        if (isError) throw new Error(said.map(({text}) => text ?? '').join('\\n'));
        return {content: said, details: {}};
      },
    });
  }
}

function converse(name, child) {
  const waiting = new Map();
  let count = 0;
  const end = (error) => {
    for (const {reject} of waiting.values()) reject(error);
    waiting.clear();
  };
  const say = (message) => child.stdin.write(JSON.stringify({jsonrpc: '2.0', ...message}) + '\\n');
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
    tell: (method, params) => say({method, params}),
    leave: () => child.stdin.end(),
    ask: (method, params, signal) => new Promise((resolve, reject) => {
      const id = (count += 1);
      waiting.set(id, {resolve, reject});
      signal?.addEventListener('abort', () => {
        say({method: 'notifications/cancelled', params: {requestId: id}});
        waiting.delete(id);
        reject(new Error('cancelled'));
      }, {once: true});
      say({id, method, params});
    }),
  };
}
`;
