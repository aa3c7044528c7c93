// The commands `orchestra mcp` and `orchestra tool`, alone: the whole program takes longer to bundle than to test.
import process from 'node:process';
import {parseArgs} from 'node:util';
import {Impossible} from '../../../source/commands/here.ts';
import {mcpTool} from '../../../source/commands/mcp-tool.ts';
import {mcp} from '../../../source/commands/mcp.ts';
import type {Surroundings} from '../../../source/commands/surroundings.ts';

const {
  values,
  positionals: [command = '', name, input],
} = parseArgs({
  allowPositionals: true,
  options: {tools: {type: 'string'}, server: {type: 'string'}},
});
const surroundings: Surroundings = {
  env: process.env,
  cwd: process.cwd(),
  out: (text) => void process.stdout.write(text),
  write: (bytes) => void process.stdout.write(bytes),
  err: (text) => void process.stderr.write(text),
  isTerminal: false,
  columns: undefined,
  rows: undefined,
};
try {
  process.exitCode =
    command === 'mcp'
      ? await mcp(values, surroundings)
      : await mcpTool(name, input, values, surroundings);
} catch (error) {
  if (!(error instanceof Impossible)) throw error;
  process.stderr.write(`orchestra: ${error.message}\n`);
  process.exitCode = 2;
}
