// An agent of a kind: reads the servers that it was given, as any agent does, and says what they
// have and answer. Bundled, because a sandbox has no packages.
import process from 'node:process';
import {readFileSync} from 'node:fs';
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';

const [file = '', tool = '', input = '{}'] = process.argv.slice(2);
const {mcpServers} = JSON.parse(readFileSync(file, 'utf8')) as {
  mcpServers: Record<string, {command: string; args: string[]; env: Record<string, string>}>;
};
for (const [name, {command, args, env}] of Object.entries(mcpServers)) {
  const client = new Client({name: 'an-agent', version: '1'});
  await client.connect(new StdioClientTransport({command, args, env}));
  const tools = (await client.listTools()).tools.map((one) => one.name);
  const result = tools.includes(tool)
    ? await client.callTool({name: tool, arguments: JSON.parse(input) as Record<string, unknown>})
    : undefined;
  console.log(JSON.stringify({name, tools: tools.length, result}));
  await client.close();
}
