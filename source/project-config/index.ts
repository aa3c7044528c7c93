/**
 * The project file (`.orchestra/project.yaml`): parse it and apply the defaults.
 * Not here: reading the file, acting on it.
 */
export {addSharedFolders} from './add-shared-folders.ts';
export {modelName} from './allowed-values.ts';
export {
  getBranchPrefix,
  getLimits,
  getPortRange,
  getSandbox,
  getUsualModel,
  type KnownLimits,
  modelProblem,
  noModelFor,
} from './defaults.ts';
export {
  type FieldNames,
  formatProjectProblems,
  parseEntries,
  parseMappingFields,
  parseMapping,
  pathInto,
  type ReportProblem,
} from './fields.ts';
export {expectedGot, parseObjectWithSchema, parseWithSchema} from './parse-with-schema.ts';
export {booleanSchema, commandSchema, textSchema} from './schemas.ts';
export {
  isCi,
  type ModeChoice,
  type ModePlace,
  type ModeRequest,
  selectMode,
} from './select-mode.ts';
export {parseProject} from './parse-project.ts';
export {type AgentsHere, getPlanContext, selectTaskAgents} from './plan-context.ts';
export {selectToolServers, type ToolServerAddress} from './parse-tools.ts';
