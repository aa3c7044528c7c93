import {sanitizeText} from '../base/index.ts';
import type {AgentSpec} from './agent-spec.ts';
import type {AgentCommand, Driver, Refusal} from './driver.ts';
import {fillArguments} from './fill-arguments.ts';
import type {Job} from './job.ts';
import {readOutcome} from './read-outcome.ts';

/** Drives whatever a project declares: its templates say how it is started, its patterns how it is read. */
export function genericDriver(spec: AgentSpec): Driver {
  const {name, work, patterns = {}} = spec;
  return {
    name,
    isBuiltIn: false,
    program: work[0] ?? name,
    commandOf: (job) => commandOf(spec, job),
    readOutcome: (ended) => readOutcome(ended, patterns),
    screen: {...(patterns.ready !== undefined && {ready: patterns.ready}), ...(patterns.question !== undefined && {question: patterns.question})},
  };
}

function commandOf(spec: AgentSpec, job: Job): AgentCommand | Refusal {
  const template = templateOf(spec, job);
  if (template === undefined) return {refused: `${spec.name} cannot be taken over: it has no screen of its own. Add "takeover:" to agents.${spec.name}.`};
  const filled = fillArguments(template, {...(spec.model !== undefined && {model: spec.model}), ...job});
  if ('refused' in filled) return {refused: `${spec.name}: ${filled.refused}`};
  return {argv: filled.argv, env: {}, ...promptOf(spec, job)};
}

function templateOf({plan, work, resume, takeover}: AgentSpec, {mode, conversation}: Job): readonly string[] | undefined {
  if (mode === 'takeover') return takeover;
  if (mode === 'plan') return plan;
  return conversation === undefined ? work : resume ?? work;
}

/** A person who takes over types for themselves. */
function promptOf({prompt, patterns}: AgentSpec, job: Job): Pick<AgentCommand, 'stdin' | 'input'> {
  if (job.mode === 'takeover') return {};
  if (prompt === 'stdin') return {stdin: job.promptFile};
  if (prompt !== 'typed') return {};
  return {input: {text: pasted(job.prompt), ...(patterns?.ready !== undefined && {when: patterns.ready})}};
}

/** A bracketed paste and Enter. The prompt has no controls of its own in it, so nothing in it can end the paste. */
function pasted(prompt: string): string {
  return `\u001B[200~${sanitizeText(prompt)}\u001B[201~\r`;
}
