import {type Problem, type Reading, sanitizeText} from '../../base/index.ts';
import {countTokens} from '../count-tokens.ts';
import {excerpt} from '../excerpt.ts';
import {readYaml} from '../project/read-yaml.ts';
import {type YamlValue, describeYaml} from '../project/yaml-value.ts';
import {readText} from '../read-text.ts';
import {findHidden} from '../rules/find-hidden.ts';

/** A saved way of working, in the open skill format. */
export type Skill = {
  readonly name: string;
  /** When to use it, on one line. */
  readonly description: string;
  readonly body: string;
};

/** What a skill may be called; a plan names it so. */
export const skillName = /^[a-z0-9][a-z0-9-]{0,63}$/;

/**
 * Reads a `SKILL.md`: `name` and `description` between two lines of `---`, then what to do. Other fields belong to other tools
 * and are left alone. Without a name of its own a skill is called after its folder. The value is undefined when it cannot be used.
 */
export function readSkill(
  source: string | Uint8Array,
  folder?: string,
): Reading<Skill | undefined> {
  const {text, isRefused, problems: textProblems} = readText(source);
  if (isRefused) return {value: undefined, problems: textProblems.map(plain)};

  const {front, body, bodyLine} = partsOf(text);
  const problems: Problem[] = [...textProblems, ...findHidden(text)].map(plain);
  const report = (line: number, words: string): void => {
    problems.push({line, text: words});
  };

  const fields = fieldsOf(front, report);
  const name = nameOf(fields.get('name'), folder, report);
  const description = descriptionOf(fields.get('description'), report);
  if (body === '')
    report(
      bodyLine,
      'Expected words below the second "---", got none. Say what to do. Until then the skill is left out.',
    );
  const tokens = countTokens(body);
  if (tokens > mostTokens)
    report(
      bodyLine,
      `Expected at most ${mostTokens} tokens, got ${tokens}, which no prompt has room for. Put the details in files beside it.`,
    );
  const isUsable = name !== undefined && body !== '';
  return {
    value: isUsable ? {name, description, body} : undefined,
    problems: problems.toSorted((a, b) => a.line - b.line),
  };
}

const mostTokens = 5000;
const mostDescription = 1024;

function plain({line, text}: Problem): Problem {
  return {line, text};
}

type Report = (line: number, words: string) => void;

type SkillParts = {
  readonly front: string | undefined;
  readonly body: string;
  readonly bodyLine: number;
};

function partsOf(text: string): SkillParts {
  const [, front] =
    /^---[ \t]*\n([^]*?)^---[ \t]*$/m.exec(text.startsWith('---') ? text : '') ?? [];
  if (front === undefined) return {front, body: bodyOf(text), bodyLine: 1};
  const bodyLine = front.split('\n').length + 2;
  return {
    front,
    body: bodyOf(
      text
        .split('\n')
        .slice(bodyLine - 1)
        .join('\n'),
    ),
    bodyLine: Math.min(bodyLine, text.split('\n').length),
  };
}

function bodyOf(text: string): string {
  return sanitizeText(text.trim());
}

function fieldsOf(front: string | undefined, report: Report): ReadonlyMap<string, YamlValue> {
  if (front === undefined) {
    report(
      1,
      'Expected "name:" and "description:" between two lines of "---" at the top, got none. Add them.',
    );
    return new Map();
  }

  // One line down: the first "---" stands above what YAML sees.
  const {value, problems} = readYaml(front);
  for (const {line, text} of problems) report(line + 1, text);
  if (value.is === 'mapping')
    return new Map(
      value.entries
        .toReversed()
        .map(({key, line, value: field}) => [key, {...field, line: line + 1}]),
    );
  if (problems.length === 0)
    report(
      value.line + 1,
      `Expected fields, each as "name: value", got ${describeYaml(value)}. Add them.`,
    );
  return new Map();
}

function nameOf(
  field: YamlValue | undefined,
  folder: string | undefined,
  report: Report,
): string | undefined {
  const usual = folder !== undefined && skillName.test(folder) ? folder : undefined;
  const consequence =
    usual === undefined
      ? 'Until then the skill is left out.'
      : `Until then it is called "${usual}".`;
  if (field === undefined) {
    report(1, `name: is missing. Add it. ${consequence}`);
    return usual;
  }

  const name = field.is === 'number' ? String(field.number) : field.is === 'text' ? field.text : '';
  if (!skillName.test(name)) {
    report(
      field.line,
      `name: expected small letters, digits and "-", at most 64, got ${describeYaml(field)}. Change it. ${consequence}`,
    );
    return usual;
  }

  if (folder !== undefined && folder !== name)
    report(
      field.line,
      `name: expected "${excerpt(folder)}" like its folder, got "${name}". Rename one of them.`,
    );
  return name;
}

function descriptionOf(field: YamlValue | undefined, report: Report): string {
  if (field?.is !== 'text' || field.text.trim() === '') {
    report(
      field?.line ?? 1,
      `description: expected when to use it, in a sentence, got ${field === undefined ? 'nothing' : describeYaml(field)}. Add it, so that a planner can choose the skill.`,
    );
    return '';
  }

  if (field.text.length > mostDescription)
    report(
      field.line,
      `description: expected at most ${mostDescription} characters, got ${field.text.length}. Make it shorter.`,
    );
  return excerpt(field.text.trim(), mostDescription);
}
