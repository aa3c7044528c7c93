import type {DirectoryFacts, Writable} from './inspect-directory.ts';

/** Why a directory may not be used, as the second half of "expected a private directory of your own, got …". */
export type Refusal = {
  readonly got: string;
  readonly advice: string;
};

export function refusalOf(directory: string, facts: DirectoryFacts): Refusal | undefined {
  switch (facts.at) {
    case 'missing': {
      return facts.writable === 'yes'
        ? undefined
        : {
            got: `nothing, and it cannot be created: ${facts.nearest} ${notWritable(facts.writable)}`,
            advice: `See who may write there: ls -ld ${facts.nearest}`,
          };
    }

    case 'symlink': {
      return {
        got: `a symbolic link to ${facts.target}`,
        advice: `Remove the link: rm ${directory}`,
      };
    }

    case 'not-a-directory': {
      return {got: 'something that is not a directory', advice: `Move ${directory} away.`};
    }

    case 'unreachable': {
      return {
        got: `${facts.code} when looking at it`,
        advice: `Look at the directories above ${directory}.`,
      };
    }

    case 'directory': {
      if (!facts.isOurs)
        return {
          got: `a directory of another user (uid ${facts.owner})`,
          advice: `Move ${directory} away, or ask its owner to.`,
        };
      if (!facts.isPrivate)
        return {
          got: `mode ${octal(facts.mode)}, open to other users`,
          advice: `Close it: chmod 700 ${directory}`,
        };
      if (facts.writable !== 'yes')
        return {
          got: `a directory that ${notWritable(facts.writable)}`,
          advice: `See who may write there: ls -ld ${directory}`,
        };
      return undefined;
    }
  }
}

function notWritable(writable: Writable): string {
  return writable === 'no' ? 'is not writable' : 'is on a read-only file system';
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}
