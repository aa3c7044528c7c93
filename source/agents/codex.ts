import {type Agent, type AgentCommand, type Driver, type Job, versionOnALine} from './driver.ts';
import {hostsNamedIn, providerHosts} from './model-hosts.ts';
import {parseOutcome} from './parse-outcome.ts';
import {
  headlessCommand,
  interactiveCommand,
  optionArguments,
  ownServer,
  pathsIn,
  resumeArguments,
  splitRules,
  startTimeoutMs,
  toolTimeoutMs,
  toToolServers,
} from './command.ts';
import {codexInteractive, codexHookSettings, toToml} from './codex-interactive.ts';
import {codexStream} from './codex-stream.ts';
import type {Environment} from '../shared/index.ts';

/** Only a line in its own config.toml switches its update check off. */
export const codex: Agent = {
  name: 'codex',
  program: {
    command: 'codex',
    npmPackage: '@openai/codex',
    versionArguments: ['--version'],
    readVersion: versionOnALine('codex-cli '),
    quiet: {},
    // The first is printed headless, the second on its own screen.
    lost: /^Error: thread\/resume: .*no rollout found for thread id \S+|^ERROR: No saved session found with ID \S+/,
  },
};

const ready = '^› Ask Codex';

export const codexDriver: Driver = {
  name: 'codex',
  isBuiltIn: false,
  program: 'codex',
  commandOf: buildCommand,
  readOutcome: (ended) => parseOutcome(ended),
  resumesPlans: true,
  resumeArgv: (argv, conversation) => {
    const after = argv.indexOf('exec') + 1;
    const rest = argv.slice(argv[after] === 'resume' ? after + 2 : after);
    return [...argv.slice(0, after), 'resume', conversation, ...rest];
  },
  hasRulesApart: true,
  screen: {
    ready,
    takesInputAtWork: true,
    question:
      '^(?:Would you like to |Do you trust |Do you want to |Trust this folder\\?|Choose how you want to use Codex)',
    options: 'list',
  },
  needs: [
    'OPENAI_API_KEY',
    'CODEX_API_KEY',
    'AZURE_OPENAI_API_KEY',
    'OPENROUTER_API_KEY',
    'OPENAI_BASE_URL',
    'OPENAI_ORGANIZATION',
    'OPENAI_PROJECT',
    'CODEX_HOME',
    'CODEX_CA_CERTIFICATE',
  ],
  stateDirectories: (home, env) => [stateDirectory(home, env)],
  settings: (home, env) => {
    const within = pathsIn(stateDirectory(home, env));
    return {
      files: within('config.toml', 'AGENTS.md', 'AGENTS.override.md', 'hooks.json'),
      directories: within('agents', 'plugins', 'prompts', 'rules', 'skills'),
      directoriesIfThere: within('packages', 'bin'),
      credentials: within('auth.json'),
      copied: within(
        'installation_id',
        'version.json',
        'models_cache.json',
        'internal_storage.json',
      ),
    };
  },
  // A ChatGPT account uses the second and the third.
  hosts: (env) => [
    'api.openai.com',
    'chatgpt.com',
    'auth.openai.com',
    ...hostsNamedIn(env, ['OPENAI_BASE_URL']),
    ...providerHosts(env, ['OPENROUTER_API_KEY']),
  ],
  stream: codexStream,
  interactive: codexInteractive,
  lacks: (passed, home, read) =>
    findMissingVariable(read(`${stateDirectory(home, passed)}/config.toml`) ?? '', passed),
  account: 'Run `codex login` once, or set OPENAI_API_KEY; then resume.',
};

function stateDirectory(home: string, env: Environment): string {
  return env['CODEX_HOME'] ?? `${home}/.codex`;
}

/** Only settings switch its updates and analytics off; arguments override them. */
const quietArguments = ['-c', 'check_for_update_on_startup=false', '-c', 'analytics.enabled=false'];

/**
 * Commands run in codex's own sandbox without asking: what the sandbox forbids fails. Only a worker
 * in its own interface asks a person for more. `resume` accepts the sandbox only as a setting.
 */
function buildCommand(job: Job): AgentCommand {
  const {mode, prompt, model} = job;
  if (mode === 'takeover')
    return {
      argv: [
        'codex',
        ...resumeArguments(job, 'resume'),
        '--no-daemon',
        ...quietArguments,
        ...trustArguments(job),
        ...serverArguments(job),
        ...optionArguments('-m', model),
      ],
      env: {},
    };
  const {rules, from} = splitRules(prompt);
  const settings = [
    `sandbox_mode="${selectSandbox(job)}"`,
    `approval_policy="${job.isInteractive === true && mode === 'work' ? 'on-request' : 'never'}"`,
    ...(rules === '' ? [] : [`developer_instructions=${toToml(rules)}`]),
  ];
  if (job.isInteractive === true)
    return interactiveCommand(job, {
      argv: [
        'codex',
        ...resumeArguments(job, 'resume'),
        '--no-daemon',
        ...quietArguments,
        ...trustArguments(job),
        ...serverArguments(job),
        ...[...settings, ...codexHookSettings(job.signalsFile)].flatMap((setting) => [
          '-c',
          setting,
        ]),
        ...optionArguments('-m', model),
      ],
      env: {},
      ready,
      from,
    });
  return headlessCommand(job, {
    agent: 'codex',
    argv: [
      'codex',
      'exec',
      ...resumeArguments(job, 'resume'),
      '--json',
      ...quietArguments,
      ...serverArguments(job),
      ...settings.flatMap((setting) => ['-c', setting]),
      ...optionArguments('-m', model),
      '-',
    ],
    env: {},
    from,
  });
}

/**
 * Trusts this folder for this start, and only in our sandbox, because a trusted folder can run
 * code. Elsewhere codex asks the person.
 */
function trustArguments({isConfined, directory}: Job): readonly string[] {
  return isConfined === true
    ? ['-c', `projects={${toToml(directory)}={trust_level="trusted"}}`]
    : [];
}

/**
 * Tool servers as settings of this start. Each call is approved in advance, because nobody could
 * answer a question.
 */
function serverArguments({tools}: Job): readonly string[] {
  if (tools === undefined) return [];
  return toToolServers(tools).flatMap(({name, command, args, env}) => {
    const settings = {
      command: toToml(command),
      args: `[${args.map(toToml).join(',')}]`,
      env: `{${Object.entries(env)
        .map(([key, value]) => `${key}=${toToml(value)}`)
        .join(',')}}`,
      startup_timeout_sec: startTimeoutMs / 1000,
      tool_timeout_sec: Math.ceil(toolTimeoutMs(tools) / 1000),
      default_tools_approval_mode: '"approve"',
      // Codex waits only for required servers; the others join when they are ready.
      ...(name === ownServer && {required: 'true'}),
    };
    return Object.entries(settings).flatMap(([key, value]) => [
      '-c',
      `mcp_servers.${name}.${key}=${value}`,
    ]);
  });
}

/**
 * Inside our sandbox root cannot create another, and codex would run no command at all; then only
 * our sandbox applies.
 */
function selectSandbox({mode, isConfined, nestsSandboxes}: Job): string {
  if (isConfined === true && nestsSandboxes === false) return 'danger-full-access';
  return mode === 'plan' ? 'read-only' : 'workspace-write';
}

/**
 * A custom provider in codex's `config.toml` names the variable that holds its key (`env_key`). If
 * the session does not get that variable, codex ends with "Missing environment variable", which
 * does not say why. Returns what to do, or undefined if it is passed.
 */
export function findMissingVariable(config: string, passed: Environment): string | undefined {
  const chosen = new Set(
    [...config.matchAll(/^[ \t]*model_provider[ \t]*=[ \t]*["']([^"'\n]+)["']/gm)].map(
      ([, name]) => name,
    ),
  );
  const missing = parseProviders(config).find(
    ({name, key}) => chosen.has(name) && (passed[key] ?? '') === '',
  );
  if (missing === undefined) return undefined;
  const {name, key} = missing;
  return (
    `codex needs the variable ${key}: its config.toml names it as env_key of the provider ` +
    `${name}, and agents get only what is allowed. Write it into .orchestra/project.yaml ` +
    `(environment: [${key}]) and set it in your shell; for a run that has begun then: ` +
    'orchestra env refresh'
  );
}

/**
 * Sections `[model_providers.NAME]` with an `env_key`. Other TOML forms of the same are not
 * recognised.
 */
function parseProviders(config: string): readonly {readonly name: string; readonly key: string}[] {
  return config.split(/^[ \t]*(?=\[)/m).flatMap((section) => {
    const [, name] =
      /^\[[ \t]*model_providers[ \t]*\.[ \t]*["']?([^\]"'\s]+)["']?[ \t]*\]/.exec(section) ?? [];
    const [, key] = /^[ \t]*env_key[ \t]*=[ \t]*["']([^"'\n]+)["']/m.exec(section) ?? [];
    return name === undefined || key === undefined ? [] : [{name, key}];
  });
}
