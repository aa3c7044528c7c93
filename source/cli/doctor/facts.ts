import path from 'node:path';
import {existsSync, realpathSync} from 'node:fs';
import {errorText} from '../../shared/index.ts';
import {
  type Account,
  findDirectoryRefusal,
  headQuestion,
  inspectDirectory,
  parseRepositoryFacts,
  type Places,
  repositoryQuestion,
} from '../../config/index.ts';
import {readProjectFile, tryAgentInSandbox, type trySandbox} from '../../daemon/index.ts';
import {createGit, detectDependencies, getSharePath} from '../../git/index.ts';
import type {DoctorFacts} from '../../reports/index.ts';
import {
  askProgram,
  type AskProgramOptions,
  findProgram,
  gitProgram,
  inspectProgram,
  readFileSystem,
  type System,
} from '../../system/index.ts';
import {type CliContext, variablesIn} from '../cli-context.ts';
import {repositoryAt} from '../repo-paths.ts';
import {agents, findDriver} from '../../agents/index.ts';
import {namesIn, tryReadText} from '../../files/index.ts';
import {selectAgentEnvironment} from '../../secrets/index.ts';
import {isKnownEvent} from '../../domain/index.ts';
import {describeEnding, inspectJournal} from '../../journal/index.ts';

/**
 * The checkout in which git is asked: never an agent's worktree, whose contents the agent controls.
 */
export function findCheckoutRoot(cli: Pick<CliContext, 'cwd' | 'env'>): {
  readonly root?: string;
  readonly said?: string;
} {
  try {
    const root = repositoryAt(cli)?.root;
    return root === undefined ? {} : {root};
  } catch (error) {
    return {said: errorText(error)};
  }
}

export async function askRepository(asking: AskProgramOptions): Promise<DoctorFacts['repository']> {
  const [place, head] = await Promise.all([
    askProgram(gitProgram.command, repositoryQuestion, asking),
    askProgram(gitProgram.command, headQuestion, asking),
  ]);
  if (place.outcome === undefined) return {at: 'unknown', said: 'git was not found'};
  if (place.outcome.at !== 'exited') return {at: 'unknown', said: 'git did not answer'};
  const repository = parseRepositoryFacts(
    place.outcome,
    head.outcome?.at === 'exited' && head.outcome.code === 0,
  );
  if (repository.at !== 'repository') return repository;
  const hasSubmodules =
    repository.topLevel !== undefined && existsSync(path.join(repository.topLevel, '.gitmodules'));
  return {...repository, commonDirectory: realpathSync(repository.commonDirectory), hasSubmodules};
}

export function projectFacts(repository: DoctorFacts['repository']): Pick<DoctorFacts, 'project'> {
  if (repository.at !== 'repository' || repository.topLevel === undefined) return {};
  const file = path.join(repository.topLevel, '.orchestra', 'project.yaml');
  if (!existsSync(file)) return {};
  const {
    value: {sandbox, network},
    problems,
  } = readProjectFile(repository.topLevel);
  return {
    project: {
      file,
      problems,
      ...(sandbox === undefined ? {} : {sandbox}),
      ...(network === undefined ? {} : {network}),
    },
  };
}

/** The variables that the project file gives to agents. */
export function projectEnvironment(repository: DoctorFacts['repository']): readonly string[] {
  if (repository.at !== 'repository' || repository.topLevel === undefined) return [];
  return readProjectFile(repository.topLevel).value.environment ?? [];
}

/** Asks git as the daemon does, so that nothing runs which the repository's configuration names. */
export async function sharingFacts(
  repository: DoctorFacts['repository'],
  {env, outside}: AskProgramOptions,
): Promise<Pick<DoctorFacts, 'unshared'>> {
  if (repository.at !== 'repository' || repository.topLevel === undefined || repository.isBare)
    return {};
  const {file} = findProgram('git', {path: env['PATH'] ?? '', outside});
  if (file === undefined) return {};
  const {
    value: {share = [], setup},
  } = readProjectFile(repository.topLevel);
  if (setup !== undefined) return {};
  const shared = new Set(share.map(getSharePath));
  const found = await detectDependencies({
    root: realpathSync(repository.topLevel),
    git: createGit({program: file, env: variablesIn({env})}),
  }).catch(() => []);
  return {unshared: found.filter(({path: name}) => !shared.has(name))};
}

export async function askAgents(asking: AskProgramOptions): Promise<DoctorFacts['agents']> {
  const installed = agents.map(async ({name, program}) =>
    program === undefined
      ? []
      : [{name, npmPackage: program.npmPackage, ...(await inspectProgram(program, asking))}],
  );
  return (await Promise.all(installed)).flat();
}

type TrialOptions = {
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

/**
 * Reports the directory of all state if it cannot be used, otherwise this repository's directory in
 * it.
 */
export function stateFacts(
  {stateHome, repository}: Places,
  account: Account,
  system: System,
): DoctorFacts['state'] {
  const home = directoryFacts(stateHome, account, system);
  return repository === undefined || home.refusal !== undefined
    ? home
    : directoryFacts(repository.stateDirectory, account, system);
}

export function directoryFacts(
  directory: string,
  {uid}: Account,
  {platform}: System,
): DoctorFacts['state'] {
  const facts = inspectDirectory(directory, uid);
  const refusal = findDirectoryRefusal(directory, facts);
  return {
    path: directory,
    exists: facts.at !== 'missing',
    ...(refusal === undefined ? {} : {refusal}),
    fileSystem: readFileSystem(directory, platform),
  };
}

type Journals = NonNullable<DoctorFacts['journals']>;

export function inspectJournals(stateHome: string): Journals {
  if (!existsSync(stateHome)) return [];
  const directories = namesIn(stateHome, {maxEntries: 100_000, links: 'follow'}).map((name) =>
    path.join(stateHome, name),
  );
  return directories
    .filter((directory) => existsSync(path.join(directory, 'journal.jsonl')))
    .map((directory) => inspectOne(directory));
}

function inspectOne(directory: string): Journals[number] {
  try {
    const {records, ending, blobs, damagedBlobs} = inspectJournal({directory, knows: isKnownEvent});
    return {
      at: 'read',
      path: directory,
      records,
      ending: ending.kind,
      said: describeEnding(ending) ?? '',
      blobs,
      damagedBlobs,
    };
  } catch (error) {
    return {at: 'unreadable', path: directory, said: String(error)};
  }
}
