/**
 * The prompts of agents: rules, task, live facts, recalled summaries and skill, within a token
 * budget.
 * Not here: collecting the facts.
 */
export {
  composePlannerFollowUp,
  composePlannerPrompt,
  type FollowUp,
  type PlannerPromptInput,
} from './compose-planner-prompt.ts';
export {type PartName, type Prompt, type PromptPart, usualBudget} from './compose-prompt.ts';
export {composeWorkerFollowUp, type WorkerFollowUp} from './compose-worker-follow-up.ts';
export {composeWorkerPrompt, type WorkerPromptInput} from './compose-worker-prompt.ts';
export {parseReport, type WorkerReport} from './parse-report.ts';
export {
  parseSkill,
  parseSkillList,
  type Skill,
  type SkillFile,
  type SkillList,
} from './parse-skills.ts';
export {formatEnvironment, type PromptFact, type RecalledSummary} from './sections.ts';
