/**
 * What a process may read and write: turns a command and a policy into the command that is run, says which paths git needs
 * and which sockets lead out, which sandbox a machine could have, what a try of it showed, and whether it is used.
 *
 * Not here: processes and files; whoever asks looks at paths, runs the command and brings the outcome.
 */
export {cachePlaces, missingCacheVariables} from './cache-places.ts';
export {chooseSandbox} from './choose-sandbox.ts';
export type {SandboxChoice} from './choose-sandbox.ts';
export {chooseNetwork, networkRuleFor} from './choose-network.ts';
export type {NetworkChoice} from './choose-network.ts';
export {doorsOut} from './doors-out.ts';
export {neededInTemporary} from './needed-in-temporary.ts';
export type {Started} from './needed-in-temporary.ts';
export {networkDoors, networkOptions} from './network-options.ts';
export {gitPathsFor} from './git-paths-for.ts';
export type {GitPaths, GitPlace} from './git-paths-for.ts';
export {SandboxRefusal} from './policy.ts';
export type {
  BoundPath,
  LayeredDirectory,
  LookAtPath,
  PathKind,
  SandboxAbilities,
  SandboxPolicy,
} from './policy.ts';
export {readSandbox} from './read-sandbox.ts';
export type {NetworkFacts, SandboxFacts, SandboxTrial} from './read-sandbox.ts';
export {sandboxOf} from './sandbox-of.ts';
export type {Sandbox} from './sandbox-of.ts';
export {sandboxed} from './sandboxed.ts';
export type {SandboxTools} from './sandboxed.ts';
export {socketFilter} from './socket-filter.ts';
export {unsandboxed} from './unsandboxed.ts';
