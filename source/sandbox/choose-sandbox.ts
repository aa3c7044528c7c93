import type {SandboxAbilities} from './policy.ts';
import type {SandboxFacts} from './read-sandbox.ts';

/** `refused`: what was asked for can't be had, and nothing may start. The words are for people. */
export type SandboxChoice =
  | {
      readonly use: true;
      readonly file: string;
      readonly words: string;
      readonly can?: SandboxAbilities;
    }
  | {readonly use: false; readonly words: string}
  | {readonly use: 'refused'; readonly words: string};

/** What a project wishes and what the machine has. `auto` never hides that there is none. */
export function chooseSandbox(
  wish: 'auto' | 'required' | 'off',
  facts: SandboxFacts,
): SandboxChoice {
  if (wish === 'off')
    return {use: false, words: `No sandbox: the project says sandbox: off. ${consequence}`};
  if (facts.at === 'works' && facts.isVerified)
    return {
      use: true,
      file: facts.file,
      words: `Agents run in a sandbox (${facts.name}).`,
      ...(facts.can === undefined ? {} : {can: facts.can}),
    };
  const why = reasonOf(facts);
  if (wish === 'auto') return {use: false, words: `No sandbox: ${why}. ${consequence}`};
  return {
    use: 'refused',
    words: `The project says sandbox: required, but ${why}. Nothing is started. ${remedyOf(facts)}`,
  };
}

const consequence =
  'An agent can write wherever you can; what it changes outside its worktree is found only afterwards.';

function reasonOf(facts: SandboxFacts): string {
  switch (facts.at) {
    case 'none': {
      return 'this platform has none';
    }

    case 'missing': {
      return `${facts.name} is not installed`;
    }

    case 'broken': {
      return `${facts.name} (${facts.file}) does not work here: ${facts.said}`;
    }

    case 'works': {
      return `what ${facts.name} stops is not verified`;
    }
  }
}

function remedyOf(facts: SandboxFacts): string {
  if (facts.at === 'missing')
    return `Install ${facts.installation ?? facts.name}, or set sandbox: auto in .orchestra/project.yaml.`;
  if (facts.at === 'broken')
    return 'Run orchestra doctor for what stands in the way, or set sandbox: auto in .orchestra/project.yaml.';
  return 'Run orchestra where bubblewrap works (Linux), or set sandbox: auto in .orchestra/project.yaml.';
}
