import {agents, findDriver} from '../../agents/index.ts';
import {tryAgentInSandbox, type trySandbox} from '../../daemon/index.ts';
import {tryReadText} from '../../files/index.ts';
import type {DoctorFacts} from '../../reports/index.ts';
import {selectAgentEnvironment} from '../../secrets/index.ts';
import {type AskProgramOptions, inspectProgram} from '../../system/index.ts';

export async function askAgents(asking: AskProgramOptions): Promise<DoctorFacts['agents']> {
  const installed = agents.map(async ({name, program}) =>
    program === undefined
      ? []
      : [{name, npmPackage: program.npmPackage, ...(await inspectProgram(program, asking))}],
  );
  return (await Promise.all(installed)).flat();
}

export type TrialOptions = {
  readonly asking: AskProgramOptions;
  readonly sandbox: Awaited<ReturnType<typeof trySandbox>>;
  readonly home: string;
  readonly environment: readonly string[];
  readonly isOff: boolean;
};

/**
 * Starts each installed agent once more as its sessions do: in the sandbox, with their environment.
 */
export async function tryAgents(
  found: DoctorFacts['agents'],
  {asking, sandbox, home, environment, isOff}: TrialOptions,
): Promise<DoctorFacts['agents']> {
  return Promise.all(
    found.map(async (agent): Promise<DoctorFacts['agents'][number]> => {
      const known = findDriver(agent.name, []);
      const program = agents.find(({name}) => name === agent.name)?.program;
      if (agent.at !== 'works' || program === undefined || 'refused' in known) return agent;
      const {driver} = known;
      const env = {
        ...selectAgentEnvironment(asking.env, {
          allow: environment,
          ...(driver.needs === undefined ? {} : {needs: driver.needs}),
        }),
        ...program.quiet,
      };
      const isConfined = !isOff && sandbox.at === 'works';
      const lacks =
        driver.lacks?.(env, home, (file) =>
          tryReadText(file, {maxBytes: 1024 * 1024, links: 'follow'}),
        ) ?? (isConfined ? undefined : driver.lacksUnconfined);
      const trial = isConfined
        ? await tryAgentInSandbox(sandbox, {
            file: agent.file,
            argv: program.versionArguments,
            env,
            root: asking.outside,
            timeoutMs: asking.timeoutMs,
          })
        : undefined;
      return {
        ...agent,
        ...(trial !== undefined && {sandboxed: trial}),
        ...(lacks !== undefined && {lacks}),
      };
    }),
  );
}
