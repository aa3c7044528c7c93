/**
 * Which variables of an environment are secret, which of them an agent gets, and how their values
 * are redacted from text.
 * Not here: reading the environment.
 */
export {
  type EnvironmentOptions,
  findSecrets,
  isSecretName,
  selectAgentEnvironment,
  selectAllowedVariables,
  variableFilter,
} from './agent-environment.ts';
export {redact, redactValues} from './redact.ts';
