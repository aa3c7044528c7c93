import {existsSync, realpathSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {readProjectFile, tryAgentInSandbox, trySandbox} from '../daemon/index.ts';
import {agents, chooseAgent, driverOf} from '../agents/index.ts';
import {
  type DoctorFacts,
  type JournalCondition,
  agentEnvironmentOf,
  doctorReport,
  formatDoctorJson,
  formatDoctorReport,
  journalInWords,
} from '../documents/index.ts';
import {isKnownEvent} from '../domain/index.ts';
import {namesIn, tryReadText} from '../files/index.ts';
import {describeEnding, inspectJournal} from '../journal/index.ts';
import {
  type Asking,
  type System,
  askProgram,
  findProgram,
  gh,
  git,
  inspectProgram,
  logindQuestion,
  readDisk,
  readFileSystem,
  readLogind,
  readSystem,
  systemPath,
  userQuestion,
} from '../machine/index.ts';
import {
  type Account,
  type Places,
  chooseRuntimeDirectory,
  headQuestion,
  inspectDirectory,
  placesOf,
  readAccount,
  readRepository,
  readTerminal,
  refusalOf,
  repositoryQuestion,
} from '../settings/index.ts';
import {createGit, detectDependencies, pathOfShare} from '../workspace/index.ts';
import {findHere, repositoryAt} from './here.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {reach} from './with-daemon.ts';

/** All programs are asked at once, so this is how long the doctor takes at worst. The slowest agents need seconds when cold. */
const patience = 8000;

export async function doctor(
  options: {readonly journal?: boolean; readonly json?: boolean},
  surroundings: Surroundings,
  timeoutMs = patience,
): Promise<ExitCode> {
  const facts = await gatherFacts(options, surroundings, timeoutMs);
  const report = doctorReport(facts);
  surroundings.out(
    options.json === true ? formatDoctorJson(report, facts) : formatDoctorReport(report),
  );
  return report.ok ? 0 : 1;
}

async function gatherFacts(
  {journal = false}: {readonly journal?: boolean},
  {env, cwd, isTerminal, columns, rows}: Surroundings,
  timeoutMs: number,
): Promise<DoctorFacts> {
  const account = readAccount(env);
  const system = readSystem();
  // The programs answer in English and without colour. None that the repository brought along is asked, and only git
  // is asked inside it: others read settings from where they stand, and some run what these name.
  const standing = standingAt({cwd, env});
  const asking: Asking = {
    env: {...env, LC_ALL: 'C', NO_COLOR: '1'},
    cwd: '/',
    timeoutMs,
    outside: standing.root,
  };
  const [gitFacts, repository, agentsFound, sandbox, logout, ghFacts, daemonJournal] =
    await Promise.all([
      inspectProgram(git, asking),
      standing.said !== undefined
        ? ({at: 'unknown', said: standing.said} as const)
        : askRepository({...asking, cwd: standing.root ?? cwd}),
      askAgents(asking),
      trySandbox(asking, system),
      askLogout(system, account, asking),
      inspectProgram(gh, asking),
      askDaemonJournal({env, cwd}),
    ]);
  const project = projectFacts(repository);
  const agentFacts = await startAgents(agentsFound, {
    asking,
    sandbox,
    home: account.homedir,
    environment: projectEnvironment(repository),
    isOff: project.project?.sandbox === 'off',
  });
  const places = placesOf({
    ...account,
    env,
    repository: repository.at === 'repository' ? repository.commonDirectory : undefined,
  });
  const runtime = chooseRuntimeDirectory(places, account.uid);
  // Worktrees are made beside the repository.
  const worktrees =
    repository.at === 'repository'
      ? path.dirname(repository.topLevel ?? repository.commonDirectory)
      : cwd;
  return {
    node: {version: process.versions.node, file: process.execPath},
    system,
    git: gitFacts,
    repository,
    ...project,
    ...(await sharingFacts(repository, asking)),
    terminal: {
      isTerminal,
      ...(columns === undefined || rows === undefined ? {} : {columns, rows}),
      ...readTerminal(env),
    },
    state: stateFacts(places, account, system),
    runtime: {...directoryFacts(runtime.path, account, system), tooLong: places.tooLong},
    disks: [worktrees, places.stateHome]
      .map((directory) => readDisk(directory))
      .filter((disk) => disk !== undefined),
    agents: agentFacts,
    defaultAgent: chooseAgent(agentFacts.filter(({at}) => at !== 'missing').map(({name}) => name))
      .name,
    sandbox,
    approval: approvalFacts(env['PATH'] ?? '', standing.root),
    logout,
    gh: ghFacts,
    ...(daemonJournal === undefined ? {} : {daemonJournal}),
    ...(journal ? {journals: inspectJournals(places.stateHome)} : {}),
  };
}

/** Git is asked in the checkout that counts, never in what an agent made of its worktree. */
function standingAt(surroundings: Pick<Surroundings, 'cwd' | 'env'>): {
  readonly root?: string;
  readonly said?: string;
} {
  try {
    const root = repositoryAt(surroundings)?.root;
    return root === undefined ? {} : {root};
  } catch (error) {
    return {said: error instanceof Error ? error.message : String(error)};
  }
}

/** Of the daemon that runs here, if one does. Where none can be reached there is nothing to tell: the next command says why. */
async function askDaemonJournal(
  surroundings: Pick<Surroundings, 'env' | 'cwd'>,
): Promise<string | undefined> {
  try {
    const daemon = await reach(findHere(surroundings));
    if (daemon === undefined) return undefined;
    try {
      const {journal} = (await daemon.ask({about: 'daemon'})) as {
        readonly journal: JournalCondition;
      };
      return journalInWords(journal);
    } finally {
      daemon.close();
    }
  } catch {
    return undefined;
  }
}

/** Looked for as the daemon does. */
function approvalFacts(value: string, outside: string | undefined): DoctorFacts['approval'] {
  const {file} = findProgram('ss', {path: `${value}:${systemPath}`, outside});
  return file === undefined ? {} : {file};
}

async function askRepository(asking: Asking): Promise<DoctorFacts['repository']> {
  const [place, head] = await Promise.all([
    askProgram(git.command, repositoryQuestion, asking),
    askProgram(git.command, headQuestion, asking),
  ]);
  if (place.outcome === undefined) return {at: 'unknown', said: 'git was not found'};
  if (place.outcome.at !== 'exited') return {at: 'unknown', said: 'git did not answer'};
  const repository = readRepository(
    place.outcome,
    head.outcome?.at === 'exited' && head.outcome.code === 0,
  );
  if (repository.at !== 'repository') return repository;
  const hasSubmodules =
    repository.topLevel !== undefined && existsSync(path.join(repository.topLevel, '.gitmodules'));
  return {...repository, commonDirectory: realpathSync(repository.commonDirectory), hasSubmodules};
}

function projectFacts(repository: DoctorFacts['repository']): Pick<DoctorFacts, 'project'> {
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

/** Git is asked as the daemon asks it: nothing that the repository would like to have run is. */
async function sharingFacts(
  repository: DoctorFacts['repository'],
  {env, outside}: Asking,
): Promise<Pick<DoctorFacts, 'unshared'>> {
  if (repository.at !== 'repository' || repository.topLevel === undefined || repository.isBare)
    return {};
  const {file} = findProgram('git', {path: env['PATH'] ?? '', outside});
  if (file === undefined) return {};
  const {
    value: {share = [], setup},
  } = readProjectFile(repository.topLevel);
  if (setup !== undefined) return {};
  const shared = new Set(share.map(pathOfShare));
  const own = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const found = await detectDependencies({
    root: realpathSync(repository.topLevel),
    git: createGit({program: file, env: own}),
  }).catch(() => []);
  return {unshared: found.filter(({path: name}) => !shared.has(name))};
}

async function askAgents(asking: Asking): Promise<DoctorFacts['agents']> {
  const installed = agents.map(async ({name, program}) =>
    program === undefined
      ? []
      : [{name, npmPackage: program.npmPackage, ...(await inspectProgram(program, asking))}],
  );
  return (await Promise.all(installed)).flat();
}

type Starting = {
  readonly asking: Asking;
  readonly sandbox: Awaited<ReturnType<typeof trySandbox>>;
  readonly home: string;
  readonly environment: readonly string[];
  readonly isOff: boolean;
};

/** Each agent that is there is started once more as its sessions are: in the sandbox, with what they get of the environment. */
async function startAgents(
  found: DoctorFacts['agents'],
  {asking, sandbox, home, environment, isOff}: Starting,
): Promise<DoctorFacts['agents']> {
  return Promise.all(
    found.map(async (agent): Promise<DoctorFacts['agents'][number]> => {
      const known = driverOf(agent.name, []);
      const program = agents.find(({name}) => name === agent.name)?.program;
      if (agent.at !== 'works' || program === undefined || 'refused' in known) return agent;
      const {driver} = known;
      const env = {
        ...agentEnvironmentOf(asking.env, {
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
      const trial = !isConfined
        ? undefined
        : await tryAgentInSandbox(sandbox, {
            file: agent.file,
            argv: program.versionArguments,
            env,
            root: asking.outside,
            timeoutMs: asking.timeoutMs,
          });
      return {
        ...agent,
        ...(trial !== undefined && {sandboxed: trial}),
        ...(lacks !== undefined && {lacks}),
      };
    }),
  );
}

/** What the project file lets agents have. */
function projectEnvironment(repository: DoctorFacts['repository']): readonly string[] {
  if (repository.at !== 'repository' || repository.topLevel === undefined) return [];
  return readProjectFile(repository.topLevel).value.environment ?? [];
}

async function askLogout(
  {hasSystemd}: System,
  {uid}: Account,
  asking: Asking,
): Promise<DoctorFacts['logout']> {
  const answers = await Promise.all([
    askProgram('loginctl', logindQuestion, asking),
    askProgram('loginctl', userQuestion(uid), asking),
  ]);
  return {hasSystemd, ...readLogind(answers.map(({outcome}) => outcome?.stdout ?? '').join('\n'))};
}

/** The home of all state, or this repository's own directory in it when nothing is wrong with the home. */
function stateFacts(
  {stateHome, repository}: Places,
  account: Account,
  system: System,
): DoctorFacts['state'] {
  const home = directoryFacts(stateHome, account, system);
  return repository === undefined || home.refusal !== undefined
    ? home
    : directoryFacts(repository.stateDirectory, account, system);
}

function directoryFacts(
  directory: string,
  {uid}: Account,
  {platform}: System,
): DoctorFacts['state'] {
  const facts = inspectDirectory(directory, uid);
  const refusal = refusalOf(directory, facts);
  return {
    path: directory,
    exists: facts.at !== 'missing',
    ...(refusal === undefined ? {} : {refusal}),
    fileSystem: readFileSystem(directory, platform),
  };
}

type Journals = NonNullable<DoctorFacts['journals']>;

function inspectJournals(stateHome: string): Journals {
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
