import type {AgentCommand, Driver} from './driver.ts';
import type {Job} from './job.ts';
import {hostsNamedIn} from './model-hosts.ts';
import {readOutcome} from './read-outcome.ts';
import {optional, rendered, resumed} from './rendered.ts';
import {geminiStream} from './stream/read-gemini.ts';
import {ownServer, toolServersOf, toolTimeoutOf} from './tool-servers-of.ts';

export const geminiDriver: Driver = {
  name: 'gemini',
  isBuiltIn: false,
  program: 'gemini',
  commandOf,
  readOutcome: (ended) => readOutcome(ended),
  resumesPlans: true,
  screen: {
    ready: '^\\W*Type your message',
    question: '^(?:Apply this change\\?|Allow execution of|Do you want to |Do you trust )',
    options: 'list',
  },
  needs: [
    'GEMINI_API_KEY',
    'GOOGLE_API_KEY',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'GOOGLE_CLOUD_PROJECT',
    'GOOGLE_CLOUD_PROJECT_ID',
    'GOOGLE_CLOUD_LOCATION',
    'GOOGLE_GENAI_USE_VERTEXAI',
    'GOOGLE_GENAI_USE_GCA',
    'GOOGLE_GEMINI_BASE_URL',
    'GOOGLE_VERTEX_BASE_URL',
    'GEMINI_MODEL',
    'GEMINI_CLI_HOME',
  ],
  stateDirectories: (home, env) => [homeOf(home, env)],
  settings: (home, env) => {
    const own = homeOf(home, env);
    const within = (...names: readonly string[]): readonly string[] =>
      names.map((name) => `${own}/${name}`);
    return {
      files: within('GEMINI.md', '.env'),
      filesIfThere: within('settings.json', 'trustedFolders.json'),
      directories: within('agents', 'commands', 'extensions', 'policies', 'skills'),
      credentials: within('oauth_creds.json', 'mcp-oauth-tokens.json'),
      copied: within('installation_id', 'google_accounts.json', 'state.json', 'user_id'),
    };
  },
  settingsFile: (home, env) => `${homeOf(home, env)}/settings.json`,
  // With an account of Google the second and the third.
  hosts: (env) => [
    'generativelanguage.googleapis.com',
    'cloudcode-pa.googleapis.com',
    'oauth2.googleapis.com',
    ...hostsNamedIn(env, ['GOOGLE_GEMINI_BASE_URL', 'GOOGLE_VERTEX_BASE_URL']),
  ],
  stream: geminiStream,
  lacksUnconfined:
    "gemini without the sandbox reads no settings of ours unless all directories above them are root's: its sessions lack orchestra's tools. Use the sandbox",
  account: 'Start gemini once and sign in, or set GEMINI_API_KEY; then resume.',
};

function homeOf(home: string, env: Readonly<Record<string, string | undefined>>): string {
  return `${env['GEMINI_CLI_HOME'] ?? home}/.gemini`;
}

/**
 * It has no place for text on top of its own instructions, so the rules stay at the top of the prompt. What would be asked is
 * denied where nobody can answer. It restarts itself with more memory, as a child that signals do not reach; that is off.
 */
function commandOf(job: Job): AgentCommand {
  const {mode, model, isConfined} = job;
  const {files, inPlace, variables} = settingsOf(job);
  // A person who takes over outside of our sandbox is asked: what a folder brings runs as soon as it is trusted.
  const isTrusted = mode !== 'takeover' || isConfined === true;
  const env = {
    ...variables,
    ...(isTrusted && {GEMINI_CLI_TRUST_WORKSPACE: 'true'}),
    GEMINI_TELEMETRY_ENABLED: 'false',
    GEMINI_CLI_NO_RELAUNCH: 'true',
  };
  const servers = toolServersOf(job.tools).map(({name}) => `--allowed-mcp-server-names=${name}`);
  if (mode === 'takeover')
    return {
      argv: ['gemini', ...resumed(job, '--resume'), ...optional('-m', model)],
      env,
      files,
      ...inPlace,
    };
  // Trust does not reach into its plan mode; an allowed tool does.
  const leave =
    mode === 'plan'
      ? [
          '--approval-mode',
          'plan',
          ...(servers.length > 0 ? ['--allowed-tools', `mcp_${ownServer}_*`] : []),
        ]
      : [
          '--approval-mode',
          'auto_edit',
          ...(isConfined === true ? ['--allowed-tools', 'run_shell_command'] : []),
        ];
  return rendered(job, {
    agent: 'gemini',
    argv: [
      'gemini',
      '-o',
      'stream-json',
      ...leave,
      ...servers,
      ...resumed(job, '--resume'),
      ...optional('-m', model),
    ],
    env,
    files,
    ...inPlace,
  });
}

type Settings = Required<Pick<AgentCommand, 'files'>> & {
  readonly inPlace: Pick<AgentCommand, 'inPlace'>;
  readonly variables: Readonly<Record<string, string>>;
};

/**
 * Settings of a system are read only where their file and every directory above belong to root and nobody else may write them
 * (gemini 0.61): never for a usual user, and never in a sandbox of theirs. There the person's own settings have ours under them, in
 * a copy that the sandbox shows in their place. Without a sandbox, or where theirs cannot be read, they stay the system's.
 */
function settingsOf(job: Job): Settings {
  const beside = job.outcomeFile.slice(0, job.outcomeFile.lastIndexOf('/') + 1);
  const merged = job.isConfined === true ? mergedSettings(job) : undefined;
  if (merged === undefined || job.ownSettings === undefined) {
    const defaults = `${beside}gemini-defaults.json`;
    return {
      files: [{path: defaults, text: JSON.stringify({...quiet, ...serversOf(job)})}],
      inPlace: {},
      variables: {GEMINI_CLI_SYSTEM_DEFAULTS_PATH: defaults},
    };
  }

  const file = `${beside}gemini-settings.json`;
  return {
    files: [{path: file, text: JSON.stringify(merged)}],
    inPlace: {inPlace: [{path: job.ownSettings.path, from: file}]},
    variables: {},
  };
}

function mergedSettings(job: Job): object | undefined {
  const own = readObject(job.ownSettings?.text ?? '{}');
  if (own === undefined) return undefined;
  const under = Object.fromEntries(
    Object.entries(quiet).map(([name, values]) => [name, {...values, ...objectIn(own, name)}]),
  );
  const {mcpServers} = serversOf(job);
  return {
    ...own,
    ...under,
    ...(mcpServers === undefined
      ? {}
      : {mcpServers: {...objectIn(own, 'mcpServers'), ...mcpServers}}),
  };
}

/** Nothing for what is no JSON: with comments in it, it is gemini's alone to read. */
function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

function objectIn(own: Readonly<Record<string, unknown>>, name: string): object {
  const value = own[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** The lowest of all its settings: what the person or their organisation says otherwise wins. */
const quiet = {
  general: {enableAutoUpdate: false, enableAutoUpdateNotification: false},
  privacy: {usageStatisticsEnabled: false},
  telemetry: {enabled: false},
};

/** Trusted: a call is not asked about, which nobody could answer. */
function serversOf({tools}: Job): {readonly mcpServers?: object} {
  if (tools === undefined) return {};
  return {
    mcpServers: Object.fromEntries(
      toolServersOf(tools).map(({name, ...server}) => [
        name,
        {...server, timeout: toolTimeoutOf(tools), trust: true},
      ]),
    ),
  };
}
