import {sanitizeText} from '../../shared/index.ts';
import {type Run, selectChecks} from '../../domain/index.ts';

export type CommitText = {
  readonly title: string;
  readonly body?: string;
  readonly run: string;
  /** Absent for a commit of a whole run. */
  readonly task?: string;
  /** The hash of the approved plan. */
  readonly plan?: string;
};

const maxTitleLength = 72;

/** A title on one line, then a body, then the trailers that say where the commit comes from. */
export function composeCommitMessage({title, body, run, task, plan}: CommitText): string {
  const trailers = [
    ['Orchestra-Run', run],
    ['Orchestra-Task', task],
    ['Orchestra-Plan', plan],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${toOneLine(value)}`]));
  return `${[formatTitle(title), formatBody(body ?? ''), trailers.join('\n')].filter((part) => part !== '').join('\n\n')}\n`;
}

function formatTitle(text: string): string {
  const line = toOneLine(text);
  const characters = Array.from(line);
  if (characters.length === 0) return 'Change without a title';
  return characters.length <= maxTitleLength
    ? line
    : `${characters
        .slice(0, maxTitleLength - 1)
        .join('')
        .trimEnd()}…`;
}

/** Indents lines of a body that look like one of our trailers. */
function formatBody(text: string): string {
  return sanitizeText(text)
    .trim()
    .split('\n')
    .map((line) => (/^Orchestra-/i.test(line) ? `  ${line}` : line).trimEnd())
    .join('\n');
}

function toOneLine(text: string): string {
  return sanitizeText(text.replaceAll(/\s+/g, ' ')).trim();
}

/** Messages for the commits of an accepted run. */
export type LandingText = {
  /** One commit for the whole run. */
  readonly squash: string;
  /** A merge of the run into the person's branch. */
  readonly merge: string;
  /** The passed checks, for the trailers of a task's commit. */
  readonly checks: readonly string[];
};

/** Composed from the run alone, so that CLI and daemon make the same commits. */
export function composeLandingText(run: Run): LandingText {
  const {
    id,
    request: {objective},
    tasks,
    stage,
  } = run;
  const merged = tasks.filter((task) => task.stage.at === 'merged');
  const checks = selectChecks(run).map(({name}) => name);
  const plan = 'approval' in stage ? stage.approval.plan : undefined;
  const list = merged
    .map(({id: task, planned}) => `- ${planned.title.replaceAll(/\s+/g, ' ').trim()} (${task})`)
    .join('\n');
  const checked = checks.length === 0 ? '' : `Checks: ${checks.join(', ')}`;
  const trailers = {run: id, ...(plan === undefined ? {} : {plan})};
  return {
    squash: composeCommitMessage({
      title: objective,
      body: [isLong(objective) ? objective : '', list, checked]
        .filter((part) => part !== '')
        .join('\n\n'),
      ...trailers,
    }),
    merge: composeCommitMessage({
      title: `Merge ${id}: ${objective}`,
      body: [list, checked].filter((part) => part !== '').join('\n\n'),
      ...trailers,
    }),
    checks,
  };
}

/** Whether a text is longer than a subject line; the body then has all of it. */
function isLong(objective: string): boolean {
  return objective.includes('\n') || Array.from(objective.trim()).length > 72;
}

/** The message of a task's own commit, with the checks that its merge passed among its trailers. */
export function withChecks(message: string, checks: readonly string[]): string {
  return checks.length === 0 || !/^Orchestra-Task: /m.test(message)
    ? message
    : `${message.trimEnd()}\nOrchestra-Checks: ${checks.map((name) => name.replaceAll(/\s+/g, ' ')).join(', ')}\n`;
}
