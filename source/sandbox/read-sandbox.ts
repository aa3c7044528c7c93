import type {SandboxAbilities} from './policy.ts';
import type {Sandbox} from './sandbox-of.ts';

export type SandboxFacts =
  | {readonly at: 'none'}
  | {readonly at: 'missing'; readonly name: string; readonly installation?: string}
  | {
      readonly at: 'works';
      readonly name: string;
      readonly file: string;
      readonly isVerified: boolean;
      readonly can?: SandboxAbilities;
      readonly network?: NetworkFacts;
    }
  | {
      readonly at: 'broken';
      readonly name: string;
      readonly file: string;
      readonly why: Obstacle;
      readonly said: string;
    };

/** Whether a sandbox can have a network of its own here; absent where that was not tried. */
export type NetworkFacts = {readonly at: 'works'} | {readonly at: 'broken'; readonly said: string};

/** `unknown`: only its own words tell. */
export type Obstacle = 'user-namespaces-off' | 'apparmor' | 'container' | 'unknown';

/** What the caller found out: where the command is, how the trial ended, and what the kernel allows. */
export type SandboxTrial = {
  readonly file?: string | undefined;
  readonly succeeded: boolean;
  readonly said: string;
  readonly isContainer: boolean;
  readonly userNamespaces: 'allowed' | 'off' | 'restricted';
  readonly can?: SandboxAbilities;
};

export function readSandbox(sandbox: Sandbox | undefined, trial: SandboxTrial): SandboxFacts {
  if (sandbox === undefined) return {at: 'none'};
  const {name, installation, isVerified} = sandbox;
  const {file} = trial;
  if (file === undefined)
    return {at: 'missing', name, ...(installation === undefined ? {} : {installation})};
  if (trial.succeeded)
    return {
      at: 'works',
      name,
      file,
      isVerified,
      ...(trial.can === undefined ? {} : {can: trial.can}),
    };
  return {
    at: 'broken',
    name,
    file,
    why: obstacleOf(trial),
    said: trial.said.trim().split('\n')[0] ?? '',
  };
}

/** The kernel's own switches first; a container hides them behind its own rules, so it is only the likely cause. */
function obstacleOf({isContainer, userNamespaces}: SandboxTrial): Obstacle {
  if (userNamespaces === 'off') return 'user-namespaces-off';
  if (isContainer) return 'container';
  return userNamespaces === 'restricted' ? 'apparmor' : 'unknown';
}
