import type {ScreenName} from '../model/model.ts';

/** One idea of orchestra in a sentence or two. Help shows one; the palette finds all. */
export type HelpTopic = {
  readonly id: string;
  readonly title: string;
  /** As the palette asks it. */
  readonly question: string;
  readonly text: string;
  /** The screens whose help shows it. */
  readonly screens: readonly ScreenName[];
};

export const helpTopics: readonly HelpTopic[] = [
  {
    id: 'one-retry',
    title: 'The one retry',
    question: 'What "the one retry" means',
    text:
      'A check that fails is told to the agent once. If it fails again, the task stops, ' +
      'explains itself and waits for you; the others go on.',
    screens: ['workers', 'timeline'],
  },
  {
    id: 'discarded',
    title: 'Discarding',
    question: 'What is kept when a task is discarded',
    text:
      'Its change is kept in refs/orchestra/backup, where git finds it again. Your branch ' +
      'and your files are not touched.',
    screens: ['needs'],
  },
  {
    id: 'plan',
    title: 'The plan',
    question: 'What a plan binds',
    text:
      'Nothing is changed before you approve the plan. Each task may change only the files ' +
      'that the plan names for it; what you approve is that very text.',
    screens: ['plan', 'start'],
  },
  {
    id: 'worktrees',
    title: 'Worktrees',
    question: 'Where agents work',
    text:
      'Every task works in its own git worktree, on a branch of the run. Your checkout and ' +
      'your uncommitted changes stay as they are until you accept.',
    screens: ['brief', 'services'],
  },
  {
    id: 'variants',
    title: 'Variants',
    question: 'What variants of a task are',
    text:
      'Several agents do the same task side by side, each in its own worktree with its own ' +
      'checks. You pick one; it is merged, and the others are kept in refs.',
    screens: ['variants'],
  },
  {
    id: 'accept',
    title: 'Accepting',
    question: 'What accepting does',
    text:
      'All tasks were merged and checked together before. Accepting brings exactly the ' +
      'commit that you were shown into your branch, by the way you chose.',
    screens: ['review'],
  },
  {
    id: 'capitals',
    title: 'Capitals decide',
    question: 'Why some keys are capital letters',
    text:
      'Small letters look, capital letters decide. Just after the screen changed by ' +
      'itself, and when keys were pasted, a capital does nothing: press it again.',
    screens: ['help', 'keys', 'settings'],
  },
  {
    id: 'cost',
    title: 'Tokens',
    question: 'Where tokens and costs come from',
    text: 'Agents report them. Where one reports no price, there is none: orchestra does not guess.',
    screens: ['audit'],
  },
  {
    id: 'notes',
    title: 'Notes',
    question: 'What notes are for',
    text:
      'When a task ends, a short summary of it is kept in this repository. Planners and ' +
      'agents find it again, and so do you.',
    screens: ['knowledge'],
  },
];

export function topicOf(screen: ScreenName): HelpTopic | undefined {
  return helpTopics.find(({screens}) => screens.includes(screen)) ?? helpTopics[0];
}
