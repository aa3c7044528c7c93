// The commands `orchestra mcp` and `orchestra tool`, alone: the whole program takes longer to
// bundle than to test.
import process from 'node:process';
import {parseArgs} from 'node:util';
import {UsageError} from '../../../source/cli/repo-paths.ts';
import {mcp, mcpTool} from '../../../source/cli/mcp.ts';
import type {CliContext} from '../../../source/cli/cli-context.ts';

const {
  values,
  positionals: [command = '', name, input],
} = parseArgs({
  allowPositionals: true,
  options: {tools: {type: 'string'}, server: {type: 'string'}},
});
const cli: CliContext = {
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
    command === 'mcp' ? await mcp(values, cli) : await mcpTool(name, input, values, cli);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`orchestra: ${error.message}\n`);
  process.exitCode = 2;
}
