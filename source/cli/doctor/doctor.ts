import path from 'node:path';
import process from 'node:process';
import {chooseAgent} from '../../agents/index.ts';
import {
  type Account,
  chooseRuntimeDirectory,
  parseTerminalSettings,
  readAccount,
  resolvePlaces,
} from '../../config/index.ts';
import {trySandbox} from '../../daemon/index.ts';
import {
  buildDoctorReport,
  type DoctorFacts,
  formatDoctorJson,
  formatDoctorReport,
  formatJournal,
  type JournalCondition,
} from '../../reports/index.ts';
import {
  askProgram,
  type AskProgramOptions,
  findProgram,
  ghProgram,
  gitProgram,
  inspectProgram,
  lingerArgv,
  logindArgv,
  parseLogind,
  readDisk,
  readSystem,
  type System,
  systemPath,
} from '../../system/index.ts';
import type {CliContext, ExitCode} from '../cli-context.ts';
import {resolveRepoPaths} from '../repo-paths.ts';
import {connectIfRunning} from '../with-daemon.ts';
import {
  askAgents,
  askRepository,
  directoryFacts,
  findCheckoutRoot,
  inspectJournals,
  projectEnvironment,
  projectFacts,
  sharingFacts,
  stateFacts,
  tryAgents,
} from './facts.ts';

/**
 * All programs are asked at once, so the doctor never takes longer. The slowest agents need seconds
 * for a cold start.
 */
const usualTimeoutMs = 8000;

export async function doctor(
  options: {readonly journal?: boolean; readonly json?: boolean},
  cli: CliContext,
  timeoutMs = usualTimeoutMs,
): Promise<ExitCode> {
  const facts = await gatherFacts(options, cli, timeoutMs);
  const report = buildDoctorReport(facts);
  cli.out(options.json === true ? formatDoctorJson(report, facts) : formatDoctorReport(report));
  return report.ok ? 0 : 1;
}

async function gatherFacts(
  {journal = false}: {readonly journal?: boolean},
  {env, cwd, isTerminal, columns, rows}: CliContext,
  timeoutMs: number,
): Promise<DoctorFacts> {
  const account = readAccount(env);
  const system = readSystem();
  // Programs answer in English and without colour. Programs inside of the repository are never
  // asked. Only git is asked
  // in its directory: other programs read settings from there, and some run what these name.
  const checkout = findCheckoutRoot({cwd, env});
  const asking: AskProgramOptions = {
    env: {...env, LC_ALL: 'C', NO_COLOR: '1'},
    cwd: '/',
    timeoutMs,
    outside: checkout.root,
  };
  const [gitFacts, repository, agentsFound, sandbox, logout, ghFacts, daemonJournal] =
    await Promise.all([
      inspectProgram(gitProgram, asking),
      checkout.said !== undefined
        ? ({at: 'unknown', said: checkout.said} as const)
        : askRepository({...asking, cwd: checkout.root ?? cwd}),
      askAgents(asking),
      trySandbox(asking, system),
      askLogout(system, account, asking),
      inspectProgram(ghProgram, asking),
      askDaemonJournal({env, cwd}),
    ]);
  const project = projectFacts(repository);
  const agentFacts = await tryAgents(agentsFound, {
    asking,
    sandbox,
    home: account.homedir,
    environment: projectEnvironment(repository),
    isOff: project.project?.sandbox === 'off',
  });
  const places = resolvePlaces({
    ...account,
    env,
    repository: repository.at === 'repository' ? repository.commonDirectory : undefined,
  });
  const runtime = chooseRuntimeDirectory(places, account.uid);
  // Worktrees are created beside the repository.
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
      ...parseTerminalSettings(env),
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
    approval: approvalFacts(env['PATH'] ?? '', checkout.root),
    logout,
    gh: ghFacts,
    ...(daemonJournal === undefined ? {} : {daemonJournal}),
    ...(journal ? {journals: inspectJournals(places.stateHome)} : {}),
  };
}

/**
 * What the running daemon reports about its journal. If it cannot be reached, the next command says
 * why.
 */
async function askDaemonJournal(cli: Pick<CliContext, 'env' | 'cwd'>): Promise<string | undefined> {
  try {
    const daemon = await connectIfRunning(resolveRepoPaths(cli));
    if (daemon === undefined) return undefined;
    try {
      const {journal} = (await daemon.ask({about: 'daemon'})) as {
        readonly journal: JournalCondition;
      };
      return formatJournal(journal);
    } finally {
      daemon.close();
    }
  } catch {
    return undefined;
  }
}

/** Searches for `ss` as the daemon does. */
function approvalFacts(searchPath: string, outside: string | undefined): DoctorFacts['approval'] {
  const {file} = findProgram('ss', {path: `${searchPath}:${systemPath}`, outside});
  return file === undefined ? {} : {file};
}

async function askLogout(
  {hasSystemd}: System,
  {uid}: Account,
  asking: AskProgramOptions,
): Promise<DoctorFacts['logout']> {
  const answers = await Promise.all([
    askProgram('loginctl', logindArgv, asking),
    askProgram('loginctl', lingerArgv(uid), asking),
  ]);
  return {hasSystemd, ...parseLogind(answers.map(({outcome}) => outcome?.stdout ?? '').join('\n'))};
}
