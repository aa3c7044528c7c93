import type {Problem} from '../../base/index.ts';
import {type Skill, readSkill} from './read-skill.ts';

/** A `SKILL.md` and where it is: `.orchestra/skills/write-docs/SKILL.md`. */
export type SkillFile = {readonly path: string; readonly source: string | Uint8Array};

export type SkillList = {
  readonly skills: readonly (Skill & {readonly path: string})[];
  readonly problems: readonly (Problem & {readonly path: string})[];
};

/** The skills of a repository. Of two with one name the first counts, so the files come in the order of their authority. */
export function readSkillList(files: readonly SkillFile[]): SkillList {
  const skills = new Map<string, Skill & {readonly path: string}>();
  const problems: (Problem & {readonly path: string})[] = [];
  for (const {path, source} of files.slice(0, mostSkills)) {
    const {value, problems: found} = readSkill(source, path.split('/').at(-2));
    problems.push(...found.map((problem) => ({...problem, path})));
    const taken = value && skills.get(value.name);
    if (taken !== undefined)
      problems.push({
        path,
        line: 1,
        text: `name: "${taken.name}" is taken by ${taken.path}, which counts. Give this one another name.`,
      });
    else if (value !== undefined) skills.set(value.name, {...value, path});
  }

  const [first] = files.slice(mostSkills);
  if (first !== undefined)
    problems.push({
      path: first.path,
      line: 1,
      text: `Expected at most ${mostSkills} skills, got ${files.length}. This one and those after it are left out.`,
    });
  return {skills: [...skills.values()], problems};
}

const mostSkills = 200;
