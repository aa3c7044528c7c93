import {hasWildcard} from '../read-glob.ts';
import {readPlanPath} from '../plan/read-plan-path.ts';
import type {TextReading, TextsExpected} from './read-texts.ts';

/** Git-ignored files that every worktree gets a copy of. */
export const copyTexts: TextsExpected = {
  what: 'a path or a glob',
  most: 50,
  read: readGlobOfProject,
};

/** Variables; a name may end in `*`. */
export const environmentTexts: TextsExpected = {
  what: 'the name of a variable',
  most: 100,
  read: readVariable,
};

/** A path that a task could change is one that can be copied: inside the repository, not git's own, and what it looks like. */
function readGlobOfProject(text: string): TextReading {
  const reading = readPlanPath(text);
  return 'path' in reading ? {text: reading.path} : reading;
}

/** A folder of the checkout that worktrees get their own copy of. */
export function readFolder(text: string): TextReading {
  const reading = readGlobOfProject(text);
  if ('refused' in reading) return reading;
  return hasWildcard(reading.text)
    ? {refused: 'has wildcards; name the folder itself.'}
    : {text: reading.text.replace(/\/$/, '')};
}

function readVariable(text: string): TextReading {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,99}\*?$/.test(text)) return {text};
  return {
    refused:
      'is not the name of a variable; write letters, digits and "_", without "$" and without a value.',
  };
}
