import type {Purpose} from '../../domain/index.ts';

/** What a session is for, in words. */
export function describePurpose(purpose: Purpose): string {
  switch (purpose.for) {
    case 'plan':
      return `the planner of ${purpose.run}`;
    case 'setup':
      return `sets up ${purpose.task}${purpose.on === undefined ? '' : purpose.on === 'merge' ? ' after merging' : ' again'}`;
    case 'worktree-setup':
      return `sets up ${purpose.owner}`;
    case 'baseline':
      return `${purpose.check} on the base of ${purpose.run}`;
    case 'attempt':
      return `works on ${purpose.task}, attempt ${purpose.attempt}`;
    case 'takeover':
      return `${purpose.task} in your hands`;
    case 'check':
      return `${purpose.check} of ${purpose.task}${purpose.on === 'merge' ? ' after merging' : ''}`;
    case 'shell':
      return `shell ${purpose.name} of ${purpose.task}${purpose.program === undefined ? '' : `: ${purpose.program}`}`;
    case 'service':
      return `service ${purpose.service}`;
    case 'person':
      return purpose.command.join(' ');
  }
}
