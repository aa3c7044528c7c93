import {
  compareContexts,
  formatAge,
  formatBlockedHosts,
  formatColumns,
  formatComparison,
  formatJson,
  formatToolCosts,
  type ContextAudit,
  type ToolCosts,
} from '../../reports/index.ts';
import {pluralize} from '../../shared/index.ts';
import type {CliContext, ExitCode} from '../cli-context.ts';
import {findRun} from './find-subject.ts';
import {withLive} from '../with-daemon.ts';

/** Shows each agent's context, part by part, and the cost of a validated change. */
export async function audit(
  id: string | undefined,
  options: {readonly json?: boolean; readonly tools?: boolean; readonly compare?: boolean},
  cli: CliContext,
): Promise<ExitCode> {
  return withLive(cli, async (live, {stateDirectory}) => {
    const run = id === undefined ? {} : {run: findRun(live.state(), id).id};
    const now = Date.now();
    if (options.tools === true)
      await (
        await import('./audit-tools.ts')
      ).auditTools({project: live.state().project, env: cli.env, stateDirectory, now});
    const data = (await live.ask({about: 'audit', ...run})) as ContextAudit;
    if (options.compare === true) {
      const comparison = compareContexts(data);
      cli.out(
        options.json === true ? formatJson(comparison) : formatComparison(comparison, cli.columns),
      );
      return 0;
    }

    cli.out(
      options.json === true
        ? formatJson(data)
        : `${formatAudit(data, cli.columns)}${formatBlockedHosts(data.refused ?? [], cli.columns)}${formatTools(data.tools, now, cli.columns)}`,
    );
    return 0;
  });
}

function formatTools(tools: ToolCosts | undefined, now: number, width: number | undefined): string {
  if (tools === undefined) return '';
  const age = now - tools.at;
  return `\n${formatToolCosts(tools, width)}${age < 5000 ? '' : `Measured ${formatAge(age)} ago. To measure again: orchestra audit --tools\n`}`;
}

function formatAudit(
  {contexts, spent, validated}: ContextAudit,
  width: number | undefined,
): string {
  if (contexts.length === 0) return 'No agent has a context yet.\n';
  const names = [...new Set(contexts.flatMap(({parts}) => parts.map(({name}) => name)))];
  const rows = contexts.map((context) => [
    context.session,
    context.about,
    context.model === undefined ? context.agent : `${context.agent} ${context.model}`,
    ...names.map((name) => formatPart(context.parts.find((part) => part.name === name))),
    `${context.tokens}/${context.budget}`,
    context.used.input + context.used.output === 0
      ? 'unknown'
      : `${context.used.input}+${context.used.output}`,
    context.result ?? '',
  ]);
  const unknown = contexts.filter(({used}) => used.input + used.output === 0).length;
  const per =
    validated === 0
      ? 'nothing is validated yet'
      : `${Math.round(spent / validated)} for each of ${validated} validated changes`;
  const known = spent === 0 ? 'tokens spent: unknown' : `${spent} tokens spent: ${per}`;
  const rest =
    spent === 0 || unknown === 0
      ? ''
      : `; ${pluralize(unknown, 'session')} reported none, so that there are more`;
  const parts = names.map((name) => name.toUpperCase());
  const head = ['SESSION', 'FOR', 'AGENT', ...parts, 'CONTEXT', 'USED', 'RESULT'];
  return `${formatColumns([head, ...rows], width)}\n${known}${rest}\n`;
}

/** A star marks a part that was cut to keep the prompt short. */
function formatPart(part: ContextAudit['contexts'][number]['parts'][number] | undefined): string {
  if (part === undefined || part.full === 0) return '';
  return part.isCut ? `${part.tokens} of ${part.full}*` : String(part.tokens);
}
