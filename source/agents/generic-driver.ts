import type {AgentSpec} from './agent-spec.ts';
import type {AgentCommand, Driver, Refusal} from './driver.ts';
import {fillArguments} from './fill-arguments.ts';
import type {Job} from './job.ts';
import {readOutcome} from './read-outcome.ts';
import {toolServersOf} from './tool-servers-of.ts';

/** Drives whatever a project declares: its templates say how it is started, its patterns how it is read. */
export function genericDriver(spec: AgentSpec): Driver {
  const {name, work, patterns = {}} = spec;
  return {
    name,
    isBuiltIn: false,
    program: work[0] ?? name,
    commandOf: (job) => commandOf(spec, job),
    readOutcome: (ended) => readOutcome(ended, patterns),
    screen: {
      ...(patterns.ready !== undefined && {ready: patterns.ready}),
      ...(patterns.question !== undefined && {question: patterns.question}),
    },
  };
}

function commandOf(spec: AgentSpec, job: Job): AgentCommand | Refusal {
  const template = templateOf(spec, job);
  if (template === undefined)
    return {
      refused: `${spec.name} cannot be taken over: it has no screen of its own. Add "takeover:" to agents.${spec.name}.`,
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
  return {argv: filled.argv, env: {}, ...promptOf(spec, job), ...(files.length > 0 && {files})};
}

/** The form in which most agents take servers of tools from a file. */
function serversText({tools}: Job): string {
  return JSON.stringify({
    mcpServers: Object.fromEntries(toolServersOf(tools).map(({name, ...server}) => [name, server])),
  });
}

function templateOf(
  {plan, work, resume, takeover}: AgentSpec,
  {mode, conversation}: Job,
): readonly string[] | undefined {
  if (mode === 'takeover') return takeover;
  if (mode === 'plan') return plan;
  return conversation === undefined ? work : (resume ?? work);
}

/** A person who takes over types for themselves. */
function promptOf({prompt, patterns}: AgentSpec, job: Job): Pick<AgentCommand, 'stdin' | 'input'> {
  if (job.mode === 'takeover') return {};
  if (prompt === 'stdin') return {stdin: job.promptFile};
  if (prompt !== 'typed') return {};
  return {input: {text: job.prompt, ...(patterns?.ready !== undefined && {when: patterns.ready})}};
}
