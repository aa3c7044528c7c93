import {excerpt, hasHiddenCharacters, nearest} from '../shared/index.ts';
import {agentPlaceholders} from '../domain/index.ts';
import type {Report} from './fields.ts';
import {describeYaml, type YamlValue} from '../syntax/index.ts';

export const promptWays = ['argument', 'file', 'stdin', 'typed'] as const;
export const commandNames = ['plan', 'work', 'resume', 'takeover'] as const;
export type PromptWay = (typeof promptWays)[number];
export type CommandName = (typeof commandNames)[number];

export type ArgumentsContext = {
  readonly path: string;
  readonly field: CommandName;
  readonly prompt: PromptWay | undefined;
};

/** A program and its arguments, as a list that no shell parses. */
export function parseArguments(
  value: YamlValue,
  context: ArgumentsContext,
  reject: Report,
): readonly string[] | undefined {
  const {path} = context;
  if (value.is !== 'list' || value.items.length === 0 || value.items.length > maxArguments) {
    reject(
      value.line,
      `${path}: expected a program and its arguments, as a list like [my-agent, --flag, "{promptFile}"], at most ${maxArguments}, got ${value.is === 'list' ? `${value.items.length} of them` : describeYaml(value)}. Change it.`,
    );
    return undefined;
  }

  const argv = value.items.flatMap(
    (item, index) => parseArgument(item, `${path}[${index}]`, reject) ?? [],
  );
  if (argv.length !== value.items.length) return undefined;
  const fault = findArgumentsFault(argv, context);
  if (fault !== undefined) reject(value.line, `${path}: ${fault}`);
  return argv;
}

export const maxArguments = 64;
const maxCharacters = 2000;

export function parseArgument(item: YamlValue, path: string, reject: Report): string | undefined {
  if (item.is !== 'text') {
    reject(
      item.line,
      `${path}: expected a text, got ${describeYaml(item)}. Put it in quotes; "{prompt}" as well.`,
    );
    return undefined;
  }

  if (
    item.text.length <= maxCharacters &&
    !/[\n\t]/.test(item.text) &&
    !hasHiddenCharacters(item.text)
  )
    return item.text;
  reject(
    item.line,
    `${path}: expected one line of at most ${maxCharacters} characters without control or hidden ones, got "${excerpt(item.text)}". Change it.`,
  );
  return undefined;
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
