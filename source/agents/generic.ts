import {agentPlaceholders} from '../domain/index.ts';
import type {AgentCommand, AgentSpec, Driver, Job, AgentRefusal} from './driver.ts';
import {parseOutcome} from './parse-outcome.ts';
import {signalsVariable, toToolServers} from './command.ts';
import {parseOwnSignal} from './signals.ts';

export type Placeholder = (typeof agentPlaceholders)[number];

/**
 * Fills the placeholders of the arguments in one pass: placeholders inside a value are not
 * replaced, and no shell reads it. A missing value is an error, because dropping the argument would
 * make the option before it take the next one.
 */
export function fillArguments(
  template: readonly string[],
  job: Readonly<Partial<Record<Placeholder, string>>>,
): {readonly argv: readonly string[]} | AgentRefusal {
  const missing = agentPlaceholders.find(
    (name) =>
      job[name] === undefined && template.some((argument) => argument.includes(`{${name}}`)),
  );
  if (missing !== undefined)
    return {
      refused: `its arguments have {${missing}}, but it has no value. ${adviceOnMissing(missing)}`,
    };

  const argv = template.map((argument) =>
    argument.replaceAll(placeholderPattern, (_, name: Placeholder) => job[name] ?? ''),
  );
  if (argv.some((argument) => argument.includes('\0')))
    return {refused: 'an argument cannot contain a NUL character. Remove it from the prompt.'};
  if (argv.some((argument) => new TextEncoder().encode(argument).length > maxBytes))
    return {
      refused:
        'the prompt is too long for an argument (128 KiB at most). Use "prompt: file" or "prompt: stdin".',
    };
  return {argv};
}

const placeholderPattern = new RegExp(`\\{(${agentPlaceholders.join('|')})\\}`, 'g');

/** MAX_ARG_STRLEN of Linux, minus the NUL at the end. */
const maxBytes = 128 * 1024 - 1;

function adviceOnMissing(name: Placeholder): string {
  return name === 'model'
    ? 'Name a model, or add "model:".'
    : `Remove {${name}} from the arguments.`;
}

/**
 * The driver of an agent that a project declares, with its argument templates and output patterns.
 */
export function genericDriver(spec: AgentSpec): Driver {
  const {name, work, patterns = {}} = spec;
  return {
    name,
    isBuiltIn: false,
    program: work[0] ?? name,
    commandOf: (job) => buildCommand(spec, job),
    readOutcome: (ended) => parseOutcome(ended, patterns),
    ...(spec.resume !== undefined && {resumesWork: true}),
    ...(spec.prompt === 'typed' && {interactive: {parseSignal: parseOwnSignal}}),
    screen: {
      ...(patterns.ready !== undefined && {ready: patterns.ready}),
      ...(patterns.question !== undefined && {question: patterns.question}),
    },
  };
}

function buildCommand(spec: AgentSpec, job: Job): AgentCommand | AgentRefusal {
  const template = selectTemplate(spec, job);
  if (template === undefined)
    return {
      refused: `${spec.name} cannot be taken over: it has no interactive mode. Add "takeover:" to agents.${spec.name}.`,
    };
  const isInteractive = job.mode !== 'takeover' && job.isInteractive === true;
  if (isInteractive && spec.prompt !== 'typed')
    return {
      refused: `${spec.name} has no interface to type into. Set "prompt: typed" in agents.${spec.name}.`,
    };
  const {tools, ...rest} = job;
  const files =
    tools === undefined
      ? []
      : [
          {
            path: `${job.outcomeFile.slice(0, job.outcomeFile.lastIndexOf('/') + 1)}mcp.json`,
            text: serversText(job),
          },
        ];
  const filled = fillArguments(template, {
    ...(spec.model !== undefined && {model: spec.model}),
    ...rest,
    ...(files[0] !== undefined && {tools: files[0].path}),
  });
  if ('refused' in filled) return {refused: `${spec.name}: ${filled.refused}`};
  const env =
    isInteractive && job.signalsFile !== undefined ? {[signalsVariable]: job.signalsFile} : {};
  return {argv: filled.argv, env, ...promptInput(spec, job), ...(files.length > 0 && {files})};
}

/** The format in which most agents read tool servers from a file. */
function serversText({tools}: Job): string {
  return JSON.stringify({
    mcpServers: Object.fromEntries(toToolServers(tools).map(({name, ...server}) => [name, server])),
  });
}

function selectTemplate(
  {plan, work, resume, takeover}: AgentSpec,
  {mode, conversation}: Job,
): readonly string[] | undefined {
  if (mode === 'takeover') return takeover;
  if (mode === 'plan') return plan;
  return conversation === undefined ? work : (resume ?? work);
}

/** How the prompt reaches the agent. On takeover the person types, so there is none. */
function promptInput(
  {prompt, patterns}: AgentSpec,
  job: Job,
): Pick<AgentCommand, 'stdin' | 'input'> {
  if (job.mode === 'takeover') return {};
  if (prompt === 'stdin') return {stdin: job.promptFile};
  if (prompt !== 'typed') return {};
  return {input: {text: job.prompt, ...(patterns?.ready !== undefined && {when: patterns.ready})}};
}
