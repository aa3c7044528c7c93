import {
  countTokens,
  excerpt,
  type ParseResult,
  type Problem,
  sanitizeText,
  skillName,
  toProblem,
} from '../shared/index.ts';
import {describeYaml, parseText, parseYaml, type YamlValue} from '../syntax/index.ts';
import {lintHiddenCharacters} from '../rules/index.ts';

/** A `SKILL.md` and its path: `.orchestra/skills/write-docs/SKILL.md`. */
export type SkillFile = {readonly path: string; readonly source: string | Uint8Array};

export type SkillList = {
  readonly skills: readonly (Skill & {readonly path: string})[];
  readonly problems: readonly (Problem & {readonly path: string})[];
};

/**
 * The skills of a repository. Of two with the same name the first counts, so the files are in order
 * of precedence.
 */
export function parseSkillList(files: readonly SkillFile[]): SkillList {
  const skills = new Map<string, Skill & {readonly path: string}>();
  const problems: (Problem & {readonly path: string})[] = [];
  for (const {path, source} of files.slice(0, maxSkills)) {
    const {value, problems: found} = parseSkill(source, path.split('/').at(-2));
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

  const [first] = files.slice(maxSkills);
  if (first !== undefined)
    problems.push({
      path: first.path,
      line: 1,
      text: `Expected at most ${maxSkills} skills, got ${files.length}. This one and those after it are left out.`,
    });
  return {skills: [...skills.values()], problems};
}

const maxSkills = 200;

/** A skill in the open `SKILL.md` format. */
export type Skill = {
  readonly name: string;
  /** When to use it, on one line. */
  readonly description: string;
  readonly body: string;
};

/**
 * Parses a `SKILL.md`: `name` and `description` between two lines of `---`, then the instructions.
 * Other fields belong to other tools and are ignored. A skill without a name gets that of its
 * folder. The value is undefined when it cannot be used.
 */
export function parseSkill(
  source: string | Uint8Array,
  folder?: string,
): ParseResult<Skill | undefined> {
  const {text, isRejected, problems: textProblems} = parseText(source);
  if (isRejected) return {value: undefined, problems: textProblems.map(toProblem)};

  const {front, body, bodyLine} = splitFrontMatter(text);
  const problems: Problem[] = [...textProblems, ...lintHiddenCharacters(text)].map(toProblem);
  const report: Report = (line, message) => {
    problems.push({line, text: message});
  };

  const fields = parseFrontMatter(front, report);
  const name = parseName(fields.get('name'), folder, report);
  const description = parseDescription(fields.get('description'), report);
  if (body === '')
    report(
      bodyLine,
      'Expected words below the second "---", got none. Say what to do. Until then the skill is left out.',
    );
  const tokens = countTokens(body);
  if (tokens > maxTokens)
    report(
      bodyLine,
      `Expected at most ${maxTokens} tokens, got ${tokens}, which no prompt has room for. Put the details in files beside it.`,
    );
  const isUsable = name !== undefined && body !== '';
  return {
    value: isUsable ? {name, description, body} : undefined,
    problems: problems.toSorted((a, b) => a.line - b.line),
  };
}

const maxTokens = 5000;
const maxDescriptionLength = 1024;

type Report = (line: number, text: string) => void;

type SkillParts = {
  readonly front: string | undefined;
  readonly body: string;
  readonly bodyLine: number;
};

function splitFrontMatter(text: string): SkillParts {
  const [, front] =
    /^---[ \t]*\n([^]*?)^---[ \t]*$/m.exec(text.startsWith('---') ? text : '') ?? [];
  if (front === undefined) return {front, body: cleanBody(text), bodyLine: 1};
  const bodyLine = front.split('\n').length + 2;
  return {
    front,
    body: cleanBody(
      text
        .split('\n')
        .slice(bodyLine - 1)
        .join('\n'),
    ),
    bodyLine: Math.min(bodyLine, text.split('\n').length),
  };
}

function cleanBody(text: string): string {
  return sanitizeText(text.trim());
}

function parseFrontMatter(
  front: string | undefined,
  report: Report,
): ReadonlyMap<string, YamlValue> {
  if (front === undefined) {
    report(
      1,
      'Expected "name:" and "description:" between two lines of "---" at the top, got none. Add them.',
    );
    return new Map();
  }

  // Lines are shifted by one: the first "---" is not part of the YAML.
  const {value, problems} = parseYaml(front);
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

function parseName(
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

  const name = scalarText(field);
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

function scalarText(field: YamlValue): string {
  if (field.is === 'number') return String(field.number);
  return field.is === 'text' ? field.text : '';
}

function parseDescription(field: YamlValue | undefined, report: Report): string {
  if (field?.is !== 'text' || field.text.trim() === '') {
    report(
      field?.line ?? 1,
      `description: expected when to use it, in a sentence, got ${field === undefined ? 'nothing' : describeYaml(field)}. Add it, so that a planner can choose the skill.`,
    );
    return '';
  }

  if (field.text.length > maxDescriptionLength)
    report(
      field.line,
      `description: expected at most ${maxDescriptionLength} characters, got ${field.text.length}. Make it shorter.`,
    );
  return excerpt(field.text.trim(), maxDescriptionLength);
}
