/**
 * The plan: parse it, check it, hash it, edit it as a file, and show it as text.
 * Not here: who may approve it.
 */
export {addMendingTask} from './add-mending-task.ts';
export type {PlanAgents} from './check-agents.ts';
export {setTaskAgent} from './set-task-agent.ts';
export {maxVariants, setVariants} from './set-variants.ts';
export {parsePlanPath, type PlanPathParseResult} from './parse-plan-path.ts';
export {
  hasPlanBlock,
  parsePlan,
  parsePlanFromOutput,
  type PlanContext,
  type PlanParseResult,
  type PlanProblem,
} from './parse-plan.ts';
export {formatPlanFile, parsePlanFile} from './edit-plan-file.ts';
export {planHash} from '../domain/index.ts';
export {modelNamePattern, taskIdPattern} from './plan-schema.ts';
export {formatPlanLines, formatPlanText, type PlanLine} from './plan-text.ts';
