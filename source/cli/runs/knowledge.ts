import {formatJson} from '../../reports/index.ts';
import type {Recalled} from '../../knowledge/index.ts';
import type {CliContext, ExitCode} from '../cli-context.ts';
import {withDaemon} from '../with-daemon.ts';
import {sanitizeText} from '../../shared/index.ts';
import {readSkills} from '../../daemon/index.ts';
import type {SkillList} from '../../prompts/index.ts';
import {resolveRepoPaths, UsageError} from '../repo-paths.ts';

/** Searches the summaries of earlier tasks, by terms or by files that they touched. */
export async function recall(
  terms: readonly string[],
  options: {readonly file?: readonly string[]; readonly json?: boolean; readonly full?: boolean},
  cli: CliContext,
): Promise<ExitCode> {
  return withDaemon(cli, async (daemon) => {
    const found = (await daemon.ask({
      about: 'recall',
      words: terms.join(' '),
      files: options.file ?? [],
    })) as readonly Recalled[];
    if (options.json === true) cli.out(formatJson({summaries: found}));
    else if (found.length === 0)
      cli.out(
        'No summary matches. Orchestra writes one to .orchestra/knowledge when a task ends.\n',
      );
    else
      cli.out(
        found
          .slice(0, 10)
          .map((one) => formatRecalled(one, options.full === true))
          .join('\n'),
      );
    return found.length === 0 ? 1 : 0;
  });
}

function formatRecalled(
  {title, outcome, date, path, excerpt, text}: Recalled,
  isFull: boolean,
): string {
  return isFull
    ? `${path}\n\n${text}\n`
    : `${title}\n  ${outcome}${date === undefined ? '' : `, ${date}`}  ${path}\n  ${excerpt}\n`;
}

/** Lists the skills of this repository; exit 1 if one is invalid. */
export function skills(options: {readonly json?: boolean}, cli: CliContext): ExitCode {
  const {skills: found, problems} = readSkills(resolveRepoPaths(cli).root);
  const lines =
    options.json === true
      ? []
      : [
          ...formatSkills(found),
          ...problems.map(({path, line, text}) => `${path}:${line}: ${text}`),
        ];
  cli.out(
    options.json === true
      ? formatJson({
          skills: found.map(({name, description, path}) => ({name, description, path})),
          problems,
        })
      : lines.map((line) => `${sanitizeText(line)}\n`).join(''),
  );
  return problems.length === 0 ? 0 : 1;
}

function formatSkills(found: SkillList['skills']): string[] {
  if (found.length === 0)
    return [
      'There are no skills. A skill is a folder with a SKILL.md in .orchestra/skills or ' +
        '.claude/skills (docs/context.md).',
    ];
  const width = Math.max(...found.map(({name}) => name.length));
  return found.map(
    ({name, description, path}) => `${name.padEnd(width)}  ${description}  (${path})`,
  );
}

/** An unknown name would go unnoticed: the agent would just not get the skill. */
export function checkSkill(name: string, root: string): void {
  const names = readSkills(root).skills.map((skill) => skill.name);
  if (!names.includes(name))
    throw new UsageError(
      `there is no skill ${JSON.stringify(name)}; ` +
        `${names.length === 0 ? 'this repository has none' : `there are ${names.join(', ')}`} ` +
        `(see \`orchestra skills\`)`,
    );
}
