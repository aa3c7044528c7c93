import {
  type ToolCosts,
  ageOf,
  columns,
  formatJson,
  formatRefusedHosts,
  formatToolCosts,
  type RefusedHost,
} from '../../documents/index.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {findRun} from './find-subject.ts';
import {withLive} from './with-live.ts';

export type ContextAudit = {
  readonly contexts: readonly {
    readonly session: string;
    readonly for: string;
    readonly about: string;
    readonly agent: string;
    readonly model?: string;
    readonly tokens: number;
    readonly budget: number;
    readonly parts: readonly {
      readonly name: string;
      readonly tokens: number;
      readonly isCut: boolean;
      readonly full: number;
    }[];
    readonly used: {readonly input: number; readonly output: number; readonly cost?: number};
  }[];
  readonly spent: number;
  readonly validated: number;
  /** Hosts that the network rules refused; an older daemon does not tell. */
  readonly refused?: readonly RefusedHost[];
  /** What `--tools` found out last. */
  readonly tools?: ToolCosts;
};

/** What went into each agent's context, part by part, and what a validated change has cost. */
export async function audit(
  id: string | undefined,
  options: {readonly json?: boolean; readonly tools?: boolean},
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withLive(surroundings, async (live, {stateDirectory}) => {
    const run = id === undefined ? {} : {run: findRun(live.state(), id).id};
    const now = Date.now();
    if (options.tools === true)
      await (
        await import('./audit-tools.ts')
      ).auditTools({project: live.state().project, env: surroundings.env, stateDirectory, now});
    const data = (await live.ask({about: 'audit', ...run})) as ContextAudit;
    surroundings.out(
      options.json === true
        ? formatJson(data)
        : `${formatAudit(data, surroundings.columns)}${formatRefusedHosts(data.refused ?? [], surroundings.columns)}${formatTools(data.tools, now, surroundings.columns)}`,
    );
    return 0;
  });
}

function formatTools(tools: ToolCosts | undefined, now: number, width: number | undefined): string {
  if (tools === undefined) return '';
  const age = now - tools.at;
  return `\n${formatToolCosts(tools, width)}${age < 5000 ? '' : `Asked ${ageOf(age)} ago: orchestra audit --tools asks again.\n`}`;
}

function formatAudit(
  {contexts, spent, validated}: ContextAudit,
  width: number | undefined,
): string {
  if (contexts.length === 0) return 'No agent has been given a context yet.\n';
  const names = [...new Set(contexts.flatMap(({parts}) => parts.map(({name}) => name)))];
  const rows = contexts.map((context) => [
    context.session,
    context.about,
    context.model === undefined ? context.agent : `${context.agent} ${context.model}`,
    ...names.map((name) => partText(context.parts.find((part) => part.name === name))),
    `${context.tokens}/${context.budget}`,
    context.used.input + context.used.output === 0
      ? ''
      : `${context.used.input}+${context.used.output}`,
  ]);
  const per =
    validated === 0
      ? 'nothing is validated yet'
      : `${Math.round(spent / validated)} for each of ${validated} validated changes`;
  return `${columns([['SESSION', 'FOR', 'AGENT', ...names.map((name) => name.toUpperCase()), 'CONTEXT', 'USED'], ...rows], width)}\n${spent} tokens spent: ${per}\n`;
}

/** A star where something was cut to keep the prompt short. */
function partText(part: ContextAudit['contexts'][number]['parts'][number] | undefined): string {
  if (part === undefined || part.full === 0) return '';
  return part.isCut ? `${part.tokens} of ${part.full}*` : String(part.tokens);
}
