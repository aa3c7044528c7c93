import {decisionLabels} from '../../reports/index.ts';
import type {PlanCheck, PlanRule, PlanView} from './plan-view.ts';

export type ToneOfFact = 'dim' | 'good' | 'warn' | 'bad';
export type Fact = {readonly text: string; readonly tone: ToneOfFact};

/** `6 tasks in 3 waves`, `4 at once`, `12 files, none twice`, `needs web` */
export function formatPlanFacts(
  {tasks, waves, fileCount, sharedFiles, services}: PlanView,
  workers: number,
): readonly Fact[] {
  const atOnce = countAtOnce(waves, workers);
  const isShared = sharedFiles.length > 0;
  return [
    {
      text: `${formatTaskCount(tasks)}${waves.length > 1 ? ` in ${waves.length} waves` : ''}`,
      tone: 'dim',
    },
    ...(atOnce > 1 ? [{text: `${atOnce} at once`, tone: 'dim'} as const] : []),
    {
      text: `${count(fileCount, 'file')}, ${isShared ? `${sharedFiles.length} twice` : 'none twice'}`,
      tone: sharedFileTone(sharedFiles),
    },
    ...(services.length === 0
      ? []
      : [{text: `needs ${services.join(', ')}`, tone: 'dim'} as const]),
  ];
}

/** `6 tasks`; `6 tasks, 1 in 3 variants`; `6 tasks, 2 in several variants`. */
export function formatTaskCount(tasks: PlanView['tasks']): string {
  const variants = tasks.filter(({variantOf}) => variantOf !== undefined);
  const all = count(tasks.length - variants.length, 'task');
  const roots = new Set(variants.map(({variantOf}) => variantOf)).size;
  if (roots === 0) return all;
  return `${all}, ${roots} in ${roots === 1 ? variants.length + 1 : 'several'} variants`;
}

function sharedFileTone(sharedFiles: PlanView['sharedFiles']): ToneOfFact {
  if (sharedFiles.length === 0) return 'good';
  return sharedFiles.some(({isAtOnce}) => isAtOnce) ? 'warn' : 'dim';
}

/** How many tasks of the largest wave can run at the same time. */
function countAtOnce(waves: PlanView['waves'], workers: number): number {
  return Math.min(workers, Math.max(0, ...waves.map((wave) => wave.length)));
}

/** `1 2 3 4 → 5 → 6` */
export function formatWaves({waves}: Pick<PlanView, 'waves'>, arrow: string): string {
  return waves.map((wave) => wave.join(' ')).join(` ${arrow} `);
}

/** Files that several tasks may change, each with the tasks. */
export function formatSharedFiles({sharedFiles}: Pick<PlanView, 'sharedFiles'>): readonly Fact[] {
  return sharedFiles.map(({path, tasks, isAtOnce}) => ({
    text: `${path} is in tasks ${tasks.join(', ')}${isAtOnce ? ', which may run at once' : ', one after the other'}`,
    tone: isAtOnce ? 'warn' : 'dim',
  }));
}

/** What a check says of the unchanged base, and what was decided about it. */
export function formatCheckFacts(check: PlanCheck): readonly Fact[] {
  const {outcome, choice, cached, lacks} = check;
  const firstFailure = check.firstFailure ?? '';
  const text = outcomeTexts[outcome];
  if (text === '') return [];
  const isFailed = isRed(outcome);
  const known = cached === true ? ', known from an earlier run' : '';
  const failure = isFailed && firstFailure !== '' ? `: ${cutFailure(firstFailure)}` : '';
  const isInconclusive = isFailed && lacks.length > 0;
  return [
    {text: `${text}${known}${failure}`, tone: toneOfOutcome(outcome, isInconclusive)},
    ...(isInconclusive
      ? [
          {
            text:
              `${lacks.join(', ')} ${lacks.length === 1 ? 'was' : 'were'} not running, so ` +
              'this says nothing about the base',
            tone: 'dim',
          } as const,
        ]
      : []),
    ...(choice === undefined
      ? []
      : [{text: `you decided: ${decisionLabels[choice]}`, tone: 'dim'} as const]),
    ...(isFailed && !isInconclusive && choice === undefined && check.from === 'plan'
      ? [{text: 'a check of the plan: the plan may make it pass', tone: 'dim'} as const]
      : []),
  ];
}

const outcomeTexts: Readonly<Record<PlanCheck['outcome'], string>> = {
  passed: 'passed on the base',
  failed: 'failed on the base',
  'timed-out': 'took too long on the base',
  broken: 'could not run on the base',
  running: 'runs on the base now',
  unknown: '',
};

function isRed(outcome: PlanCheck['outcome']): boolean {
  return outcome === 'failed' || outcome === 'timed-out' || outcome === 'broken';
}

function toneOfOutcome(outcome: PlanCheck['outcome'], isInconclusive: boolean): ToneOfFact {
  if (outcome === 'passed') return 'good';
  return isRed(outcome) && !isInconclusive ? 'bad' : 'dim';
}

/** The whole report is in the recording of the check. */
function cutFailure(text: string): string {
  return text.length > maxFailure ? `${text.slice(0, maxFailure)}…` : text;
}

const maxFailure = 240;

/** `6 enforced, 1 is yours to judge` */
export function formatRuleCounts(rules: readonly PlanRule[]): string {
  const enforced = rules.filter(({isEnforced}) => isEnforced).length;
  const yours = rules.length - enforced;
  const own = `${yours} ${yours === 1 ? 'is' : 'are'} yours to judge`;
  return yours === 0 ? `${enforced} enforced` : `${enforced} enforced, ${own}`;
}

export const noChecksText = 'No checks: nothing will prove that a task works.';
export const noRulesText = 'No rules: only the plan binds workers.';

/** Hashes have ten characters where they are approved. */
export function approvedHash(hash: string): string {
  return hash.slice(0, 10);
}

export function formatTree({tree, isTreeUnchanged}: PlanView['approves']): Fact {
  if (tree === undefined) return {text: 'Opened by you without a plan.', tone: 'dim'};
  return isTreeUnchanged
    ? {
        text: `The planner changed nothing: tree ${approvedHash(tree)} before and after.`,
        tone: 'good',
      }
    : {text: `The planner's worktree is tree ${approvedHash(tree)}.`, tone: 'dim'};
}

export const approvalText = 'If one of them changes, you are asked again.';

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
