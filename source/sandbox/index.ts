/**
 * What a process may read and write: turns a command and a policy into the command that is run;
 * lists the paths that git needs and the sockets that lead out; names the sandbox of a platform,
 * interprets its trial, and decides whether it is used.
 *
 * Not here: processes and files; the caller inspects paths, runs the command and passes the outcome
 * in.
 */
export {
  chooseNetwork,
  chooseSandbox,
  type NetworkChoice,
  networkRuleFor,
  type SandboxChoice,
} from './choose-sandbox.ts';
export {controlSockets} from './control-sockets.ts';
export {type GitPaths, gitPathsFor, type GitPlace} from './git-paths-for.ts';
export {
  cachePlaces,
  missingCacheVariables,
  neededInTemporary,
  type Started,
} from './needed-paths.ts';
export {networkOptions, networkSockets, socketFilter} from './network-options.ts';
export {
  type BoundPath,
  type LayeredDirectory,
  type LookAtPath,
  type PathKind,
  type SandboxAbilities,
  type SandboxPolicy,
  SandboxRefusal,
} from './policy.ts';
export {
  findSandbox,
  type NetworkFacts,
  type Sandbox,
  type Obstacle,
  type SandboxFacts,
  type SandboxTrial,
  toSandboxFacts,
} from './sandbox-facts.ts';
export {sandboxed, type SandboxTools, unsandboxed} from './sandboxed.ts';
