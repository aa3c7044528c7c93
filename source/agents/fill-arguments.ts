import {agentPlaceholders} from '../domain/index.ts';
import type {Refusal} from './driver.ts';

export type Placeholder = (typeof agentPlaceholders)[number];

/**
 * Puts a job's values into the arguments, each once: what a value holds is never looked into again, and no shell reads it.
 * An argument whose value the job does not have is not left out, because the option before it would take the next one.
 */
export function fillArguments(
  template: readonly string[],
  job: Readonly<Partial<Record<Placeholder, string>>>,
): {readonly argv: readonly string[]} | Refusal {
  const missing = agentPlaceholders.find(
    (name) =>
      job[name] === undefined && template.some((argument) => argument.includes(`{${name}}`)),
  );
  if (missing !== undefined)
    return {refused: `its arguments have {${missing}}, but there is none. ${adviceOn(missing)}`};

  const argv = template.map((argument) =>
    argument.replaceAll(pattern, (_, name: Placeholder) => job[name] ?? ''),
  );
  if (argv.some((argument) => argument.includes('\0')))
    return {refused: 'an argument cannot hold a NUL character. Take it out of the prompt.'};
  if (argv.some((argument) => new TextEncoder().encode(argument).length > mostBytes))
    return {
      refused:
        'the prompt is too long for an argument (128 KiB at most). Use "prompt: file" or "prompt: stdin".',
    };
  return {argv};
}

const pattern = new RegExp(`\\{(${agentPlaceholders.join('|')})\\}`, 'g');

/** MAX_ARG_STRLEN of Linux, with the NUL at its end. */
const mostBytes = 128 * 1024 - 1;

function adviceOn(name: Placeholder): string {
  return name === 'model'
    ? 'Name a model, or add "model:".'
    : `Leave {${name}} out of what is started without it.`;
}
