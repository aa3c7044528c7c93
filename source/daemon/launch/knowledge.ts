import path from 'node:path';
import {createRecall, readSkillList, type Recall, type SkillList} from '../../documents/index.ts';
import {namesIn, tryReadText} from '../../files/index.ts';

export const knowledgeDirectory = path.join('.orchestra', 'knowledge');

/** In the order of their authority. */
const skillDirectories = [path.join('.orchestra', 'skills'), path.join('.claude', 'skills')];

/** Links are followed inside of the checkout: people keep the skills of several agents in one place. */
const bounds = (root: string) =>
  ({maxBytes: 256 * 1024, maxEntries: 2000, below: root, links: 'inside'}) as const;

/** The summaries that are kept with the repository, read anew each time: people edit, pull and remove them. */
export function readKnowledge(root: string): Recall {
  return createRecall(
    namesIn(path.join(root, knowledgeDirectory), bounds(root))
      .filter((name) => name.endsWith('.md'))
      .flatMap((name) => {
        const text = tryReadText(path.join(root, knowledgeDirectory, name), bounds(root));
        return text === undefined ? [] : [{path: path.join(knowledgeDirectory, name), text}];
      }),
  );
}

export function readSkills(root: string): SkillList {
  return readSkillList(
    skillDirectories.flatMap((directory) =>
      namesIn(path.join(root, directory), bounds(root)).flatMap((name) => {
        const file = path.join(directory, name, 'SKILL.md');
        const source = tryReadText(path.join(root, file), bounds(root));
        return source === undefined ? [] : [{path: file, source}];
      }),
    ),
  );
}
