import type {
  Directive,
  Plan,
  PlannedTask,
  Proposal,
  Rule,
  Run,
  RunBase,
  State,
} from '../../domain/index.ts';
import {formatPlanLines, type PlanLine} from '../../plan/index.ts';
import {
  formatModes,
  type BaselineCheck,
  type BaselineReport,
  buildBaselineReport,
  formatAgent,
  selectRepositoryNotes,
  toSafeLine,
  withoutUnknownTool,
} from '../../reports/index.ts';
import {memoizeByObject} from '../../shared/index.ts';
import {findSharedFiles, type SharedFile} from './shared-files.ts';

/** A plan as its screen shows it: what will be done, what proves it, why. */
export type PlanView = PlanContent & {
  readonly proof: readonly PlanCheck[];
  /** How far the checks on the unchanged base are, and why nothing is known of it. */
  readonly baseline: {readonly state: BaselineReport['state']; readonly why: string | undefined};
  /** About the repository, when the run began. */
  readonly notes: readonly string[];
  readonly rules: readonly PlanRule[];
  /** What the approval is bound to. */
  readonly approves: {
    readonly plan: string;
    readonly base: string;
    readonly branch: string | undefined;
    readonly rules: string;
    /** The tree of the planner's worktree; undefined without a planner. */
    readonly tree: string | undefined;
    /** The tree was the same before planning, so the planner wrote nothing. */
    readonly isTreeUnchanged: boolean;
    /** Which agents have their own interface, in words. */
    readonly modes?: string | undefined;
  };
  readonly comments: Proposal['comments'];
};

/** The part that depends on the plan alone. */
export type PlanContent = {
  readonly objective: readonly PlanItem[];
  readonly tasks: readonly PlanTask[];
  /** Numbers of tasks; a wave can start when those before it are merged. */
  readonly waves: readonly (readonly number[])[];
  /** How many different paths and globs the tasks name. */
  readonly fileCount: number;
  readonly sharedFiles: readonly SharedFile[];
  readonly services: readonly string[];
  readonly problem: readonly PlanItem[];
  readonly rootCause: readonly PlanItem[];
  readonly assumptions: readonly PlanItem[];
  readonly invariants: readonly PlanItem[];
  readonly risks: readonly PlanItem[];
  readonly rejected: readonly PlanItem[];
  /** The checks of the plan itself. */
  readonly validation: readonly PlanItem[];
  /** All lines of the plan; comments are stored with their numbers. */
  readonly lines: readonly PlanLine[];
};

/**
 * A piece of the plan that a comment can be attached to. `line` and `source` are what a comment on
 * it is stored with; `id` is the path of the value, with the paragraph for those that have several.
 */
export type PlanItem = {
  readonly id: string;
  readonly line: number;
  readonly source: string;
  readonly text: string;
};

export type PlanTask = {
  readonly number: number;
  /** Its title; a comment on the task is attached here. */
  readonly item: PlanItem;
  readonly title: string;
  readonly brief: readonly PlanItem[];
  readonly files: readonly string[];
  /** Numbers of the tasks that it waits for. */
  readonly after: readonly number[];
  /** The lanes of the task graph: beside its title, and beside the rows below it. */
  readonly graph: {readonly first: string; readonly next: string};
  readonly services: readonly string[];
  readonly skill: string | undefined;
  readonly tools: readonly string[];
  /** The number of the task that this one is another try of. */
  readonly variantOf: number | undefined;
  /** The agent and the model that the plan names: `codex with gpt-9`. */
  readonly by: string | undefined;
};

export type PlanCheck = Pick<
  BaselineCheck,
  'name' | 'command' | 'from' | 'outcome' | 'choice' | 'cached'
> & {
  readonly firstFailure: string | undefined;
  /** Services that were not ready, so that a failure says nothing about the base. */
  readonly lacks: readonly string[];
  /** Its line, if it is a check of the plan itself. */
  readonly item: PlanItem | undefined;
};

export type PlanRule = {
  readonly number: string;
  readonly text: string;
  /** How it is enforced: `protect`, `max 6`, the name of a check; `you judge` if it is not. */
  readonly directive: string;
  readonly isEnforced: boolean;
};

/** Undefined while the run has no plan, and after its end. */
export function selectPlanView(state: State, run: Run): PlanView | undefined {
  const {stage} = run;
  if (!('proposal' in stage)) return undefined;
  const {ground: base, proposal} = stage;
  const content = toPlanContent(proposal.plan);
  const {checks, state: at, why} = buildBaselineReport(state, run);
  return {
    ...content,
    proof: checks.map((check) => toPlanCheck(check, proposal.plan, content)),
    baseline: {state: at, why: why === undefined ? undefined : toSafeLine(why)},
    notes: selectRepositoryNotes(run).map(toSafeLine),
    rules: base.rules.rules.map((rule) => toPlanRule(rule, base)),
    approves: selectApproved(run, base, proposal),
    comments: proposal.comments,
  };
}

function toPlanCheck(
  {name, command, from, outcome, choice, cached, firstFailure, lacks = []}: BaselineCheck,
  {validation}: Plan,
  content: PlanContent,
): PlanCheck {
  const index = validation.findIndex((check) => check.name === name);
  return {
    name: toSafeLine(name),
    command: toSafeLine(command),
    from,
    outcome,
    ...(choice !== undefined && {choice}),
    ...(cached !== undefined && {cached}),
    // The first line of a report can be the word for a format that is not known.
    firstFailure:
      firstFailure === undefined ? undefined : toSafeLine(withoutUnknownTool(firstFailure)),
    lacks: lacks.map(toSafeLine),
    item:
      from === 'plan' && index !== -1
        ? content.validation.find(({id}) => id === `validation[${index}]`)
        : undefined,
  };
}

function selectApproved(run: Run, base: RunBase, {hash, tree}: Proposal): PlanView['approves'] {
  const modes = formatModes(run);
  const before = run.worktrees.find(({owner}) => owner === `${run.id}.plan`)?.tree;
  return {
    plan: toSafeLine(hash),
    base: toSafeLine(base.base),
    branch: base.branch === null ? undefined : toSafeLine(base.branch),
    rules: toSafeLine(base.rules.hash),
    tree: tree === undefined ? undefined : toSafeLine(tree),
    isTreeUnchanged: tree !== undefined && before === tree,
    ...(modes === undefined ? {} : {modes: toSafeLine(modes)}),
  };
}

function toPlanRule({number, text, tooth, check}: Rule, {rules}: RunBase): PlanRule {
  const directive = tooth === undefined ? check : formatShortDirective(tooth, rules.checks);
  return {
    number,
    text: toSafeLine(text),
    directive: directive ?? 'you judge',
    isEnforced: directive !== undefined,
  };
}

function formatShortDirective(directive: Directive, checks: RunBase['rules']['checks']): string {
  switch (directive.kind) {
    case 'protect':
    case 'only':
    case 'forbid':
      return directive.kind;
    case 'forbid-path':
      return 'forbid';
    case 'max-files':
      return `max ${directive.most}`;
    case 'max-lines':
      return `max ${directive.most} lines`;
    case 'require':
      return toSafeLine(
        checks.find(({command}) => command === directive.command)?.name ?? 'require',
      );
  }
}

const toPlanContent = memoizeByObject((plan: Plan): PlanContent => {
  const all = formatPlanLines(plan);
  const lines = all.filter(({isTitle}) => !isTitle);
  const itemsOf = (field: string): PlanItem[] =>
    lines
      .filter((line) => line.field === field || line.field.startsWith(`${field}[`))
      .map((line, index, all) => toItem(line, all.slice(0, index)));
  const taskNumbers = new Map(plan.tasks.map(({id}, index) => [id, index + 1]));
  return {
    objective: itemsOf('objective'),
    tasks: plan.tasks.map((task, index): PlanTask => {
      const field = `tasks[${index}]`;
      const own = lines.find((line) => line.field === field);
      return {
        number: index + 1,
        item: toItem(own ?? {number: 1, field, text: '', isTitle: false}, []),
        title: toSafeLine(task.title),
        brief: itemsOf(`${field}.brief`),
        files: task.files.map(toSafeLine),
        after: task.after.flatMap((id) => taskNumbers.get(id) ?? []),
        graph: own?.graph ?? {first: '', next: ''},
        services: task.services.map(toSafeLine),
        skill: task.skill === undefined ? undefined : toSafeLine(task.skill),
        tools: (task.tools ?? []).map(toSafeLine),
        variantOf: task.variantOf === undefined ? undefined : taskNumbers.get(task.variantOf),
        by: formatBy(task),
      };
    }),
    waves: findWaves(plan),
    fileCount: new Set(plan.tasks.flatMap(({files}) => files)).size,
    sharedFiles: findSharedFiles(plan.tasks),
    services: [...new Set(plan.tasks.flatMap(({services}) => services))].map(toSafeLine),
    problem: itemsOf('problem'),
    rootCause: itemsOf('rootCause'),
    assumptions: itemsOf('assumptions'),
    invariants: itemsOf('invariants'),
    risks: itemsOf('risks'),
    rejected: itemsOf('rejected'),
    validation: itemsOf('validation'),
    lines: all,
  };
});

function formatBy({agent, model}: PlannedTask): string | undefined {
  if (agent !== undefined) return formatAgent({agent, ...(model === undefined ? {} : {model})});
  return model === undefined ? undefined : `model ${toSafeLine(model)}`;
}

function toItem({field, number, text}: PlanLine, before: readonly PlanLine[]): PlanItem {
  const paragraph = before.filter((line) => line.field === field).length;
  return {
    id: paragraph === 0 ? field : `${field}#${paragraph + 1}`,
    line: number,
    source: text,
    text: toSafeLine(text.replace(/^\s*- /, '')),
  };
}

/** A task is one wave after the last of those that it waits for. */
function findWaves({tasks}: Plan): number[][] {
  const levels = new Map<string, number>();
  const waves: number[][] = [];
  for (const [index, {id, after}] of tasks.entries()) {
    const level = 1 + Math.max(-1, ...after.map((earlier) => levels.get(earlier) ?? -1));
    levels.set(id, level);
    (waves[level] ??= []).push(index + 1);
  }

  return waves;
}
