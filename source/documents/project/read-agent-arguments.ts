import {nearest} from '../../base/index.ts';
import {agentPlaceholders} from '../../domain/index.ts';
import {excerpt} from '../excerpt.ts';
import {hasHiddenCharacters} from '../hidden-characters.ts';
import type {Report} from './read-fields.ts';
import {type YamlValue, describeYaml} from './yaml-value.ts';

export const promptWays = ['argument', 'file', 'stdin', 'typed'] as const;
export const commandNames = ['plan', 'work', 'resume', 'takeover'] as const;
export type PromptWay = (typeof promptWays)[number];
export type CommandName = (typeof commandNames)[number];

export type ArgumentsContext = {
  readonly path: string;
  readonly field: CommandName;
  readonly prompt: PromptWay | undefined;
};

/** Program and arguments, one by one: no shell splits or reads them. */
export function readArguments(
  value: YamlValue,
  context: ArgumentsContext,
  refuse: Report,
): readonly string[] | undefined {
  const {path} = context;
  if (value.is !== 'list' || value.items.length === 0 || value.items.length > mostArguments) {
    refuse(
      value.line,
      `${path}: expected a program and its arguments, as a list like [my-agent, --flag, "{promptFile}"], at most ${mostArguments}, got ${value.is === 'list' ? `${value.items.length} of them` : describeYaml(value)}. Change it.`,
    );
    return undefined;
  }

  const argv = value.items.flatMap(
    (item, index) => readArgument(item, `${path}[${index}]`, refuse) ?? [],
  );
  if (argv.length !== value.items.length) return undefined;
  const fault = faultOf(argv, context);
  if (fault !== undefined) refuse(value.line, `${path}: ${fault}`);
  return argv;
}

export const mostArguments = 64;
const mostCharacters = 2000;

export function readArgument(item: YamlValue, path: string, refuse: Report): string | undefined {
  if (item.is !== 'text') {
    refuse(
      item.line,
      `${path}: expected a text, got ${describeYaml(item)}. Put it in quotes; "{prompt}" as well.`,
    );
    return undefined;
  }

  if (
    item.text.length <= mostCharacters &&
    !/[\n\t]/.test(item.text) &&
    !hasHiddenCharacters(item.text)
  )
    return item.text;
  refuse(
    item.line,
    `${path}: expected one line of at most ${mostCharacters} characters without control or hidden ones, got "${excerpt(item.text)}". Change it.`,
  );
  return undefined;
}

/** What does not fit together. The sentence goes on after the field. */
function faultOf(argv: readonly string[], {field, prompt}: ArgumentsContext): string | undefined {
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
    return `has {${misspelt.name}}, which stands for nothing. Did you mean {${misspelt.meant ?? ''}}?`;
  if (argv[0] === '' || /\{[A-Za-z]+\}/.test(argv[0] ?? ''))
    return 'expected a program as the first one, got something else. Name it.';
  if (field !== 'resume' && field !== 'takeover' && has('conversation'))
    return 'has {conversation}, but begins a fresh one. It belongs in "resume:" and "takeover:".';
  if (field === 'takeover')
    return has('prompt')
      ? 'has {prompt}, but a person types for themselves. Leave it out.'
      : undefined;
  if (prompt === 'argument' && !has('prompt'))
    return 'has no {prompt}, though the prompt goes in as an argument. Put "{prompt}" where it belongs.';
  if (prompt === 'file' && !has('promptFile'))
    return 'has no {promptFile}, though the prompt goes in as a file. Put "{promptFile}" where it belongs.';
  if (prompt !== undefined && prompt !== 'argument' && has('prompt'))
    return `has {prompt}, though the prompt goes in by "${prompt}". Leave it out, or say "prompt: argument".`;
  return undefined;
}
