import {selectListedServices, type State} from '../../domain/index.ts';
import {getSandbox} from '../../project-config/index.ts';
import {sharingLine} from '../../reports/index.ts';
import type {ActionName} from '../keymap/action-name.ts';
import {selectAgents} from '../model/agent-choice.ts';
import {selectMissingDependencies} from '../model/answers.ts';
import {plural} from '../model/line.ts';
import type {Model} from '../model/model.ts';

/** One line about the repository: `✓ rules  7 in .rulesfile.md`. */
export type RepositoryFact = {
  readonly name: string;
  readonly state: 'good' | 'none' | 'problem';
  readonly text: string;
  /** The key that mends or changes it. */
  readonly way?: {readonly action: ActionName; readonly text: string};
};

/** What a run would use, as far as it is known before one. */
export function selectRepositoryFacts(model: Model, state: State): readonly RepositoryFact[] {
  return [
    gitFact(model),
    ...agentFacts(model, state),
    rulesFact(model),
    checksFact(model),
    ...projectFacts(model),
    ...servicesFacts(state),
    sandboxFact(state),
    ...sharingFacts(model),
  ];
}

function gitFact({
  repository: {head, checkout},
  answers: {repository: notes},
}: Model): RepositoryFact {
  const where = head === undefined ? 'ready' : `${head.branch} at ${head.commit.slice(0, 7)}`;
  const inCheckout = checkout === undefined ? '' : `, in ${checkout}`;
  return {name: 'git', state: 'good', text: `${where}${inCheckout}${formatNoted(notes)}`};
}

/** Uncommitted files are a note, so no note says that there are none. */
function formatNoted(notes: readonly string[] | undefined): string {
  if (notes === undefined) return '';
  return notes.length === 0
    ? ', nothing uncommitted'
    : `, ${plural(notes.length, 'note', 'notes')} below`;
}

function agentFacts(model: Model, state: State): RepositoryFact[] {
  const agents = selectAgents(model, state);
  const {worker, planner} = state.project;
  const absent = [...new Set([worker, planner])].filter(
    (name): name is string => name !== undefined && !agents.includes(name),
  );
  return [
    agents.length === 0
      ? {name: 'agents', state: 'problem', text: 'none found'}
      : {
          name: 'agents',
          state: 'good',
          text: agents.join(', '),
        },
    ...absent.map((name): RepositoryFact => ({
      name: '',
      state: 'problem',
      text: `${name} is to ${name === worker ? 'work' : 'plan'}, as the project says, and is not installed here`,
    })),
  ];
}

function rulesFact({repository: {rules, starter}}: Model): RepositoryFact {
  if (!rules.exists)
    return {
      name: 'rules',
      state: 'none',
      text: 'none yet: only the plan binds workers',
      ...(starter !== undefined && {way: {action: 'prepare-repository', text: 'write a starter'}}),
    };
  const count = plural(rules.rules, 'rule', 'rules');
  return rules.problems > 0
    ? {
        name: 'rules',
        state: 'problem',
        text: `${count}, ${plural(rules.problems, 'problem', 'problems')}: orchestra rules check`,
      }
    : {
        name: 'rules',
        state: 'good',
        text: `${rules.rules} in .rulesfile.md, ${rules.enforced} of them enforced`,
      };
}

function checksFact({repository: {rules, starter}}: Model): RepositoryFact {
  if (rules.checks.length > 0)
    return {
      name: 'checks',
      state: 'good',
      text: rules.checks.map(({name, command}) => `${name}: ${command}`).join('   '),
    };
  const [found] = starter?.checks ?? [];
  return found === undefined
    ? {name: 'checks', state: 'none', text: 'none yet: nothing proves that a task is done'}
    : {
        name: 'checks',
        state: 'none',
        text: `none yet: nothing proves that a task is done; ${found.command} exists`,
        way: {action: 'prepare-repository', text: 'use it'},
      };
}

/** Problems of the project file. They explain why a declared agent or service is missing. */
function projectFacts({repository: {project}}: Model): RepositoryFact[] {
  if (project === undefined || project.problems === 0) return [];
  const more = project.problems === 1 ? '' : ` (and ${project.problems - 1} more)`;
  return [
    {
      name: 'project',
      state: 'problem',
      text: `.orchestra/project.yaml:${project.first}${more}`,
    },
  ];
}

function servicesFacts(state: State): RepositoryFact[] {
  const services = selectListedServices(state);
  if (services.length === 0) return [];
  const names = services.map(({spec: {name, port}}) =>
    port === undefined ? name : `${name} :${port}`,
  );
  const isOff = services.every(({stage}) => stage.at === 'down');
  return [
    {
      name: 'services',
      state: isOff ? 'none' : 'good',
      text: `${names.join(', ')}${isOff ? ': off until a task needs them' : ''}`,
    },
  ];
}

function sandboxFact({project}: State): RepositoryFact {
  switch (getSandbox(project)) {
    case 'off':
      return {name: 'sandbox', state: 'none', text: 'off: an agent can write wherever you can'};
    case 'required':
      return {name: 'sandbox', state: 'good', text: 'required: nothing runs without one'};
    case 'auto':
      return {
        name: 'sandbox',
        state: 'good',
        text: 'where this machine has one, an agent writes its worktree and nothing else',
      };
  }
}

/** Dependencies that tasks would not get, with the key that shares them. */
function sharingFacts(model: Model): RepositoryFact[] {
  const [first, ...others] = selectMissingDependencies(model);
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return [
    {
      name: 'shared',
      state: 'problem',
      text: `tasks will not have ${sharingLine(first)}${more}`,
      way: {action: 'share-dependencies', text: 'give each its own'},
    },
  ];
}
