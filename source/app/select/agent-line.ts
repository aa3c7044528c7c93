import type {State} from '../../domain/index.ts';
import type {ActionName} from '../keymap/action-name.ts';
import {
  selectAgent,
  selectAgentInRole,
  selectModels,
  selectPlanner,
  selectPlanners,
  selectVariantAgents,
} from '../model/agent-choice.ts';
import {canChooseMode, selectAgentMode} from '../model/mode-choice.ts';
import type {Model, ModelRole} from '../model/model.ts';

/** Who plans and works, in words, and what can be chosen. */
export type AgentLine = {
  /** The name that stands first. */
  readonly who: string;
  readonly rest: string;
  readonly choices: readonly AgentChoice[];
};

export type AgentChoice = {
  readonly label: string;
  readonly names: readonly string[];
  readonly at: number;
  readonly keys: readonly {readonly action: ActionName; readonly text: string}[];
  /** Why it is so. */
  readonly why?: string;
};

export function selectAgentLine(model: Model, state: State): AgentLine {
  if (model.playbook !== '')
    return {who: model.playbook, rest: ' is followed: a playbook, no model', choices: []};
  const worker = selectAgent(model, state);
  const planner = selectPlanner(model, state) ?? worker;
  if (worker === undefined) return {who: 'no agent', rest: '', choices: []};
  const withModel = nameModel(model, worker, 'worker', state);
  const rest =
    planner === worker || planner === undefined
      ? ` works and plans${withModel}`
      : ` works${withModel}, ${planner} plans${nameModel(model, planner, 'planner', state)}`;
  return {
    who: worker,
    rest,
    choices: [
      ...modelChoices(model, worker, 'worker', state),
      ...plannerChoices(model, worker, state),
      ...modeChoices(model, worker, 'worker', state),
      ...(planner === undefined ? [] : modeChoices(model, planner, 'planner', state)),
      ...variantChoices(model, state),
      ...skillChoices(model),
    ],
  };
}

function nameModel(model: Model, agent: string, role: ModelRole, state: State): string {
  const {usual, chosen} = selectModels(model, agent, role, state);
  const name = chosen === '' ? usual : chosen;
  return name === undefined ? '' : ` with ${name}`;
}

/** No row for an agent that takes no model. */
function modelChoices(model: Model, agent: string, role: ModelRole, state: State): AgentChoice[] {
  const {usual, names, chosen, none} = selectModels(model, agent, role, state);
  if (none !== undefined) return [];
  const [next, write]: readonly [ActionName, ActionName] =
    role === 'worker' ? ['next-model', 'name-model'] : ['next-planner-model', 'name-planner-model'];
  const byDefault = usual === undefined ? 'default' : `default (${usual})`;
  return [
    {
      label: role === 'worker' ? 'model' : 'its model',
      names: names.map((name) => (name === '' ? byDefault : name)),
      at: names.indexOf(chosen),
      keys: [
        ...(names.length > 1 ? [{action: next, text: 'next'}] : []),
        {action: write, text: 'name another'},
      ],
    },
  ];
}

function plannerChoices(model: Model, worker: string, state: State): AgentChoice[] {
  const planners = selectPlanners(model, state);
  if (planners.length < 2) return [];
  const planner = selectPlanner(model, state) ?? worker;
  return [
    {
      label: 'planner',
      names: planners,
      at: planners.indexOf(planner),
      keys: [{action: 'next-planner', text: 'next'}],
    },
    ...(selectAgentInRole(model, 'planner', state) === undefined
      ? []
      : modelChoices(model, planner, 'planner', state)),
  ];
}

/** Planners stay headless without a row unless theirs can be chosen. */
function modeChoices(model: Model, agent: string, role: ModelRole, state: State): AgentChoice[] {
  const choice = selectAgentMode(model, {role, agent}, state);
  if (choice === undefined) return [];
  const isOpen = canChooseMode(model, agent, state);
  if (role === 'planner' && !isOpen) return [];
  const label = role === 'worker' ? 'workers' : 'planning';
  const action: ActionName = role === 'worker' ? 'change-mode' : 'change-planner-mode';
  if ('rejected' in choice)
    return [{label, names: ['not possible'], at: 0, keys: [], why: choice.rejected}];
  return [
    {
      label,
      names: isOpen ? ['its own interface', 'headless'] : ['headless'],
      at: isOpen && choice.mode === 'headless' ? 1 : 0,
      keys: isOpen ? [{action, text: 'changes it'}] : [],
      why: choice.why,
    },
  ];
}

/** Only where more than one was asked for: a run with a plan says it in its plan. */
function variantChoices(model: Model, state: State): AgentChoice[] {
  if (model.variantCount === 1) return [];
  return [
    {
      label: 'variants',
      names: [`${model.variantCount}: ${selectVariantAgents(model, state).join(', ')}`],
      at: 0,
      keys: [
        {action: 'next-variants', text: 'more'},
        {action: 'open-agent', text: 'opens them without a plan'},
      ],
    },
  ];
}

function skillChoices({answers: {skills = []}, skill}: Model): AgentChoice[] {
  return skills.length === 0
    ? []
    : [
        {
          label: 'skill',
          names: ['none', ...skills],
          at: Math.max(0, skills.indexOf(skill) + 1),
          keys: [{action: 'next-skill', text: 'next'}],
        },
      ];
}
