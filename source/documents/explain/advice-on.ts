import type {Need, TroubleReason} from '../../domain/index.ts';
import {codeWords, plainWords} from '../summary/plain-words.ts';

/** What the commands alone do not say: what to look at before one of them is typed. */
export function adviceOn(need: Need): string[] {
  switch (need.kind) {
    case 'trouble':
      return ['', adviceOnTrouble(need.why)];
    case 'parked':
      if (need.why.kind === 'tampering')
        return [
          '',
          'These run code or redirect git, and they changed while an agent was at work. Look at them before you go on:',
          ...need.why.paths.slice(0, 20).map((path) => `- ${codeWords(path)}`),
        ];
      return [
        '',
        need.why.kind === 'crashing'
          ? 'Going on by itself would crash again. The log of the daemon says where.'
          : 'The journal holds something that this version cannot place. Nothing was lost, and nothing more is done for this run.',
      ];
    case 'planless':
      if (need.why.kind === 'planner-wrote')
        return [
          '',
          'A planner may only read. These files were changed in its own worktree, not in yours:',
          ...need.why.paths.slice(0, 20).map((path) => `- ${codeWords(path)}`),
        ];
      return [];
    case 'budget':
      return ['', 'Whatever was at work was stopped where it was; nothing of it is lost.'];
    case 'branch':
      return [
        '',
        `The branch ${codeWords(need.branch)} is orchestra's own: what was merged and checked is there. Nothing is merged into it, and nothing is accepted, until you have said what holds. What is there is not lost either way.`,
      ];
    case 'unstoppable':
      return [
        '',
        'It is tried further. Nothing else is begun in its place as long as it lives; end its processes yourself if you may.',
      ];
    case 'accept':
      return need.refusal === undefined
        ? []
        : ['', `Your branch is as it was. What was in the way: ${plainWords(need.refusal)}`];
    case 'stopped':
      if (need.why.kind === 'no-change' && need.why.denied !== undefined)
        return [
          '',
          "Its agent wanted to write and was not allowed to. Look at the permissions in the agent's own settings, at the mode of the files, and at what the sandbox shows (docs/sandbox.md); then grant one more attempt.",
        ];
      if (need.why.kind === 'conflict')
        return [
          '',
          'What was merged before it touches the same lines. A hint that says which side should win usually does.',
        ];
      return need.why.kind === 'interrupted'
        ? [
            '',
            'Crashes cost no attempt, but so many of them are no accident: look at memory, disk and the agent itself.',
          ]
        : [];
    default:
      return [];
  }
}

function adviceOnTrouble(why: TroubleReason): string {
  switch (why.kind) {
    case 'effect':
      return /space|ENOSPC|disk/i.test(why.words)
        ? 'Make room on the disk, then resume. No attempt was spent.'
        : 'Repair what is named above, then resume. No attempt was spent.';
    case 'setup':
      return 'The setup command of .orchestra/project.yaml does not work in a fresh worktree. Repair it, then resume. No attempt was spent.';
    case 'broken-check':
      return `The command of ${codeWords(why.name)} could not be run at all, so it says nothing about the change. Repair it in the rules file or the plan, then resume.`;
    case 'red-on-base':
      return `${codeWords(why.name)} fails without this change as well, so it says nothing about the change. Decide what is done about it. No attempt was spent.`;
    case 'agent-unavailable':
      if (why.pauses !== undefined)
        return 'Its service asks for more time than limits.pauseMinutes of .orchestra/project.yaml allows. Resume tries it now, and waits as long again. No attempt was spent.';
      return 'Log in, or wait for its quota, then resume. No attempt was spent.';
    case 'worktree-gone':
      return 'Somebody removed its worktree. Resume makes a new one; what was not committed in the old one is gone.';
    case 'leftovers':
      return 'Nothing proves whose they are, so none was ended; what is not yours could still write there. End it, then resume. Whoever resumes says that what is still there is theirs, and is not asked about it again. No attempt was spent.';
  }
}
