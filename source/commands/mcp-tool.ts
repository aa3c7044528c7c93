import {callTool, listedTools, readGrant} from '../tools/index.ts';
import {readGrantFile} from './read-grant-file.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {version} from './version.ts';

/** One call of a tool, from any shell inside of an agent's session. Without a name: what there is. */
export async function mcpTool(
  name: string | undefined,
  input: string | undefined,
  {tools}: {readonly tools?: string},
  surroundings: Surroundings,
): Promise<ExitCode> {
  const {grant} = readGrantFile(tools, surroundings, readGrant);
  if (name === undefined) {
    surroundings.out(
      listedTools(grant.role)
        .map(
          (tool) =>
            `${tool.name} ${JSON.stringify(tool.inputSchema.properties)}\n    ${tool.description}\n`,
        )
        .join(''),
    );
    return 0;
  }

  const read = readInput(input ?? '{}');
  if (read === undefined) {
    surroundings.err(
      `orchestra: expected the input of ${name} as one JSON object, like '{"service": "web"}', got something else. Put it in single quotes.\n`,
    );
    return 2;
  }

  const {text, isError} = await callTool(grant, {tool: name, input: read, build: version});
  surroundings.out(text.endsWith('\n') ? text : `${text}\n`);
  return isError === true ? 1 : 0;
}

function readInput(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
