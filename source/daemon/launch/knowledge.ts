import {readFileSync, statSync} from 'node:fs';
import path from 'node:path';
import {createRecall, readSkillList, type Recall, type SkillList} from '../../documents/index.ts';
import {namesIn} from '../names-in.ts';

export const knowledgeDirectory = path.join('.orchestra', 'knowledge');

/** In the order of their authority. */
const skillDirectories = [path.join('.orchestra', 'skills'), path.join('.claude', 'skills')];

const mostBytes = 256 * 1024;

/** The summaries that are kept with the repository, read anew each time: people edit, pull and remove them. */
export function readKnowledge(root: string): Recall {
  return createRecall(
    namesIn(path.join(root, knowledgeDirectory))
      .filter((name) => name.endsWith('.md'))
      .flatMap((name) => {
        const text = textOf(path.join(root, knowledgeDirectory, name));
        return text === undefined ? [] : [{path: path.join(knowledgeDirectory, name), text}];
      }),
  );
}

export function readSkills(root: string): SkillList {
  return readSkillList(
    skillDirectories.flatMap((directory) =>
      namesIn(path.join(root, directory)).flatMap((name) => {
        const file = path.join(directory, name, 'SKILL.md');
        const source = textOf(path.join(root, file));
        return source === undefined ? [] : [{path: file, source}];
      }),
    ),
  );
}

function textOf(file: string): string | undefined {
  try {
    return statSync(file).size > mostBytes ? undefined : readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
