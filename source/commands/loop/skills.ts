import {sanitizeText} from '../../base/index.ts';
import {readSkills} from '../../daemon/index.ts';
import {formatJson, type SkillList} from '../../documents/index.ts';
import {findHere, Impossible} from '../here.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';

/** The saved ways of working of this repository: 1 when one of them cannot be used. */
export function skills(options: {readonly json?: boolean}, surroundings: Surroundings): ExitCode {
  const {skills: found, problems} = readSkills(findHere(surroundings).root);
  const lines =
    options.json === true
      ? []
      : [...linesOf(found), ...problems.map(({path, line, text}) => `${path}:${line}: ${text}`)];
  surroundings.out(
    options.json === true
      ? formatJson({
          skills: found.map(({name, description, path}) => ({name, description, path})),
          problems,
        })
      : lines.map((line) => `${sanitizeText(line)}\n`).join(''),
  );
  return problems.length === 0 ? 0 : 1;
}

function linesOf(found: SkillList['skills']): string[] {
  if (found.length === 0)
    return [
      'There are no skills. One is a folder with a SKILL.md in .orchestra/skills or .claude/skills (docs/context.md).',
    ];
  const width = Math.max(...found.map(({name}) => name.length));
  return found.map(
    ({name, description, path}) => `${name.padEnd(width)}  ${description}  (${path})`,
  );
}

/** A name that nobody has would go unnoticed: the agent would just not be told. */
export function checkSkill(name: string, root: string): void {
  const names = readSkills(root).skills.map((skill) => skill.name);
  if (!names.includes(name))
    throw new Impossible(
      `there is no skill ${JSON.stringify(name)}; ${names.length === 0 ? 'this repository has none' : `there are ${names.join(', ')}`} (see \`orchestra skills\`)`,
    );
}
