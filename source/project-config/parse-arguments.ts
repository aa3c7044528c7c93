import {nearest} from '../shared/index.ts';
import {agentPlaceholders} from '../domain/index.ts';
import type {ReportProblem} from './fields.ts';
import {parseWithSchema} from './parse-with-schema.ts';
import {programSchema} from './schemas.ts';
import type {YamlValue} from '../syntax/index.ts';

export const promptWays = ['argument', 'file', 'stdin', 'typed'] as const;
export const commandNames = ['plan', 'work', 'resume', 'takeover'] as const;
export type PromptWay = (typeof promptWays)[number];
export type CommandName = (typeof commandNames)[number];

export type ArgumentsContext = {
  readonly path: string;
  readonly field: CommandName;
  readonly prompt: PromptWay | undefined;
};

const argumentsSchema = programSchema('[my-agent, --flag, "{promptFile}"]');

/** A program and its arguments, as a list that no shell parses. */
export function parseArguments(
  value: YamlValue,
  context: ArgumentsContext,
  reject: ReportProblem,
): readonly string[] | undefined {
  const {path} = context;
  const argv = parseWithSchema(argumentsSchema, value, path, reject);
  const fault = argv && findArgumentsFault(argv, context);
  if (fault !== undefined) reject(value.line, `${path}: ${fault}`);
  return argv;
}

/**
 * A contradiction between the arguments and the agent's other fields. The sentence continues after
 * the field.
 */
function findArgumentsFault(
  argv: readonly string[],
  {field, prompt}: ArgumentsContext,
): string | undefined {
  const used = new Set(
    argv.flatMap((argument) =>
      [...argument.matchAll(/\{([A-Za-z]+)\}/g)].map(([, name = '']) => name),
    ),
  );
  const has = (name: (typeof agentPlaceholders)[number]): boolean => used.has(name);
  const misspelt = [...used]
    .map((name) => ({
      name,
      meant: agentPlaceholders.find((known) => known === name) ?? nearest(name, agentPlaceholders),
    }))
    .find(({name, meant}) => meant !== undefined && meant !== name);
  if (misspelt !== undefined)
    return `has {${misspelt.name}}, which is not a placeholder. Did you mean {${misspelt.meant ?? ''}}?`;
  if (argv[0] === '' || /\{[A-Za-z]+\}/.test(argv[0] ?? ''))
    return 'expected a program as the first one, got something else. Name it.';
  if (field !== 'resume' && field !== 'takeover' && has('conversation'))
    return 'has {conversation}, but starts a new conversation. It belongs in "resume:" and "takeover:".';
  if (field === 'takeover')
    return has('prompt')
      ? 'has {prompt}, but a person types for themselves. Leave it out.'
      : undefined;
  if (prompt === 'argument' && !has('prompt'))
    return 'has no {prompt}, though the prompt is passed as an argument. Put "{prompt}" where it belongs.';
  if (prompt === 'file' && !has('promptFile'))
    return 'has no {promptFile}, though the prompt is passed as a file. Put "{promptFile}" where it belongs.';
  if (prompt !== undefined && prompt !== 'argument' && has('prompt'))
    return `has {prompt}, though the prompt is passed by "${prompt}". Leave it out, or say "prompt: argument".`;
  return undefined;
}
