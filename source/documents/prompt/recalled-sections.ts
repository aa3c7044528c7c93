import {sanitizeText} from '../../base/index.ts';
import type {Skill} from '../skills/read-skill.ts';
import type {Section} from './compose-prompt.ts';
import {type Fencing, fenceData} from './fence-data.ts';

/** What an earlier task left behind. */
export type RecalledSummary = {readonly path: string; readonly text: string};

/** The best first: what is cut is cut from the end. */
export function summariesSection(summaries: readonly RecalledSummary[], fencing: Fencing): Section {
  return {
    name: 'summaries',
    head: '# What earlier tasks found out',
    pieces: summaries
      .slice(0, mostSummaries)
      .map(({path, text}) => fenceData(path, text, mostCharacters, fencing)),
    joint: '\n\n',
    units: 'summaries',
  };
}

const mostSummaries = 20;
const mostCharacters = 6000;

/** A way of working that a person keeps with the repository. It is meant to be followed, so it is not fenced. */
export function skillSection(skill: Skill | undefined): Section {
  const paragraphs = (skill?.body ?? '')
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '');
  return {
    name: 'skill',
    head: `# Skill: ${skill?.name ?? ''}\n\nFollow it where the rules and the task leave you free.`,
    pieces: paragraphs.map(sanitizeText),
    joint: '\n\n',
    units: 'paragraphs of the skill',
  };
}
