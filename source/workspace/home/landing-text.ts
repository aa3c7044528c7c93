import {checksOf, type Run} from '../../domain/index.ts';
import {commitMessageOf} from '../commit/commit-message-of.ts';

/** What the commits of an accepted run say. */
export type LandingText = {
  /** One commit for the whole run. */
  readonly squash: string;
  /** A merge of the run into the person's branch. */
  readonly merge: string;
  /** The checks that everything passed, for the commit of a task. */
  readonly checks: readonly string[];
};

/** From what is known of the run, so that whoever makes the commits makes the same ones. */
export function landingTextOf(run: Run): LandingText {
  const {
    id,
    request: {objective},
    tasks,
    stage,
  } = run;
  const merged = tasks.filter((task) => task.stage.at === 'merged');
  const checks = checksOf(run).map(({name}) => name);
  const plan = 'approval' in stage ? stage.approval.plan : undefined;
  const list = merged
    .map(({id: task, planned}) => `- ${planned.title.replaceAll(/\s+/g, ' ').trim()} (${task})`)
    .join('\n');
  const checked = checks.length === 0 ? '' : `Checks: ${checks.join(', ')}`;
  const trailers = {run: id, ...(plan === undefined ? {} : {plan})};
  return {
    squash: commitMessageOf({
      title: objective,
      body: [isLong(objective) ? objective : '', list, checked]
        .filter((part) => part !== '')
        .join('\n\n'),
      ...trailers,
    }),
    merge: commitMessageOf({
      title: `Merge ${id}: ${objective}`,
      body: [list, checked].filter((part) => part !== '').join('\n\n'),
      ...trailers,
    }),
    checks,
  };
}

/** More than a subject shows: then the whole of it is in the body. */
function isLong(objective: string): boolean {
  return objective.includes('\n') || Array.from(objective.trim()).length > 72;
}

/** The message of a task's own commit, with the checks that its merge passed among its trailers. */
export function withChecks(message: string, checks: readonly string[]): string {
  return checks.length === 0 || !/^Orchestra-Task: /m.test(message)
    ? message
    : `${message.trimEnd()}\nOrchestra-Checks: ${checks.map((name) => name.replaceAll(/\s+/g, ' ')).join(', ')}\n`;
}
