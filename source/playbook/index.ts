/**
 * Playbooks: the format of the scripts that the built-in agent follows.
 * Not here: running a playbook.
 */
export {parsePlaybook} from './parse-playbook.ts';
export {
  type PlanningStep,
  type Playbook,
  type PlaybookPlan,
  type Step,
  type StepList,
  withAnswer,
} from './playbook.ts';
