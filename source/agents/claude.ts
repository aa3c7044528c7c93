import {type Agent, type AgentCommand, type Driver, type Job, versionOnALine} from './driver.ts';
import {hostsNamedIn} from './model-hosts.ts';
import {parseOutcome} from './parse-outcome.ts';
import {
  headlessCommand,
  interactiveCommand,
  optionArguments,
  ownServer,
  pathsIn,
  replaceOption,
  resumeArguments,
  splitRules,
  startTimeoutMs,
  toolTimeoutMs,
  toToolServers,
} from './command.ts';
import {claudeHooksOption, claudeInteractive} from './claude-interactive.ts';
import {claudeStream} from './claude-stream.ts';
import {asFields, asList, parseObject} from './stream/fields.ts';

export const claude: Agent = {
  name: 'claude',
  program: {
    command: 'claude',
    npmPackage: '@anthropic-ai/claude-code',
    versionArguments: ['--version'],
    readVersion: versionOnALine('', ' (Claude Code)'),
    quiet: {DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1'},
    lost: /^No conversation found with session ID: \S+$/,
  },
};

const ready = '^\\s*❯(?!\\s*\\d+\\.)';

/** Without the second it does not say when it has read a message. */
const channelOptions = ['--input-format=stream-json', '--replay-user-messages'];

export const claudeDriver: Driver = {
  name: 'claude',
  isBuiltIn: false,
  program: 'claude',
  commandOf: buildCommand,
  readOutcome: (ended) => parseOutcome(ended),
  resumesPlans: true,
  resumeArgv: (argv, conversation) => replaceOption(argv, '--resume', conversation),
  channel: {
    options: channelOptions,
    format: (text) =>
      JSON.stringify({type: 'user', message: {role: 'user', content: [{type: 'text', text}]}}),
  },
  hasRulesApart: true,
  screen: {
    ready,
    takesInputAtWork: true,
    question:
      '^(?:Do you want to |Would you like to |Do you trust |Quick safety check|New MCP ' +
      'servers? found|\\d+ new MCP servers found)',
    options: 'list',
  },
  needs: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'ANTHROPIC_FOUNDRY_API_KEY',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'AWS_BEARER_TOKEN_BEDROCK',
    'ANTHROPIC_*',
    'CLAUDE_CONFIG_DIR',
    'CLAUDE_CODE_USE_*',
    'CLAUDE_CODE_SKIP_*',
    'CLAUDE_CODE_MAX_*',
    'AWS_PROFILE',
    'AWS_REGION',
    'CLOUD_ML_REGION',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'API_TIMEOUT_MS',
  ],
  stateDirectories: (home, env) => [env['CLAUDE_CONFIG_DIR'] ?? `${home}/.claude`],
  settings: (home, env) => {
    const own = env['CLAUDE_CONFIG_DIR'] ?? `${home}/.claude`;
    const within = pathsIn(own);
    return {
      files: within('settings.json', 'settings.local.json', 'CLAUDE.md', 'keybindings.json'),
      // In its own interface it asks what to do about a file that it cannot read.
      emptyObjects: within('settings.json', 'settings.local.json'),
      directories: within(
        'agents',
        'commands',
        'hooks',
        'output-styles',
        'plugins',
        'rules',
        'skills',
        'workflows',
      ),
      directoriesIfThere: within('local'),
      credentials: within('.credentials.json'),
      copied: within('.config.json'),
      answered: [
        {
          file: `${own}/.claude.json`,
          from:
            env['CLAUDE_CONFIG_DIR'] === undefined ? `${home}/.claude.json` : `${own}/.claude.json`,
          answer: (text, worktrees) => answerFirstStart(text, worktrees, env['ANTHROPIC_API_KEY']),
        },
      ],
    };
  },
  // Without it `.claude.json` is in the person's home, which is read-only: claude would ask its
  // questions at every start.
  ownStateEnv: (home, env) => ({CLAUDE_CONFIG_DIR: env['CLAUDE_CONFIG_DIR'] ?? `${home}/.claude`}),
  // The second and the third renew a login.
  hosts: (env) => [
    'api.anthropic.com',
    'claude.ai',
    'platform.claude.com',
    ...hostsNamedIn(env, ['ANTHROPIC_BASE_URL']),
  ],
  stream: claudeStream,
  interactive: claudeInteractive,
  account: 'Start claude once and log in, or set ANTHROPIC_API_KEY; then resume.',
};

/**
 * With `-p` claude never asks: what is not allowed is denied. In its own interface it asks. A worker
 * may edit its worktree; its shell is allowed only inside our sandbox, and otherwise follows the
 * person's settings. Several values of an option are one argument, so that the option does not take
 * the next argument as a value. Claude waits for its tool servers, because the first turn would
 * lack them.
 */
function buildCommand(job: Job): AgentCommand {
  const {mode, prompt, model, isConfined} = job;
  const env = {
    ...claude.program?.quiet,
    ...(job.tools !== undefined && {
      MCP_TIMEOUT: String(startTimeoutMs),
      ...(mode !== 'takeover' && {MCP_CONNECTION_NONBLOCKING: 'false'}),
    }),
  };
  const tools = toToolServers(job.tools).map(({name}) => `mcp__${name}`);
  if (mode === 'takeover')
    return {
      argv: [
        'claude',
        ...resumeArguments(job, '--resume'),
        ...optionArguments('--model', model),
        ...serverArguments(job),
        ...allowedToolsOption(tools),
      ],
      env,
    };
  const {rules, from} = splitRules(prompt);
  const permissions =
    mode === 'plan'
      ? [
          '--permission-mode',
          'plan',
          `--disallowedTools=${planDenied(job)}`,
          ...allowedToolsOption(tools),
        ]
      : [
          '--permission-mode',
          'acceptEdits',
          ...allowedToolsOption([...(isConfined === true ? ['Bash'] : []), ...tools]),
        ];
  const options = [
    ...permissions,
    ...serverArguments(job),
    ...optionArguments('--model', model),
    ...resumeArguments(job, '--resume'),
    ...optionArguments('--append-system-prompt', rules),
  ];
  if (job.isInteractive === true)
    return interactiveCommand(job, {
      argv: ['claude', ...options, ...claudeHooksOption(job.signalsFile)],
      env,
      ready,
      from,
    });
  return headlessCommand(job, {
    agent: 'claude',
    argv: [
      'claude',
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--include-partial-messages',
      ...(job.inbox === undefined ? [] : channelOptions),
      ...options,
    ],
    env,
    from,
  });
}

/**
 * In its own interface claude ends plan mode by asking the person whether it may edit now. Here the
 * plan is handed in and approved elsewhere, so the tool that asks is denied too.
 */
function planDenied({isInteractive}: Job): string {
  return `Bash,Edit,Write,NotebookEdit${isInteractive === true ? ',ExitPlanMode' : ''}`;
}

function allowedToolsOption(names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`--allowedTools=${names.join(',')}`];
}

/**
 * A headless agent gets only the servers of its task; on takeover the person's own are added. Our
 * tools are few and always loaded, not behind a search.
 */
function serverArguments({tools, mode}: Job): readonly string[] {
  if (tools === undefined) return [];
  const mcpServers = Object.fromEntries(
    toToolServers(tools).map(({name, ...server}) => [
      name,
      {
        type: 'stdio',
        ...server,
        timeout: toolTimeoutMs(tools),
        ...(name === ownServer && {alwaysLoad: true}),
      },
    ]),
  );
  return [
    `--mcp-config=${JSON.stringify({mcpServers})}`,
    ...(mode === 'takeover' ? [] : ['--strict-mcp-config']),
  ];
}

/**
 * Claude's state file with the questions of a first start answered for these worktrees only:
 * onboarding, the key in the environment, and trust in the folder. Claude still asks about servers
 * in the repository's `.mcp.json`.
 */
export function answerFirstStart(
  text: string | undefined,
  worktrees: readonly string[],
  key: string | undefined,
): string {
  const state = asFields(parseObject(text ?? '{}'));
  const projects = asFields(state['projects']);
  const responses = asFields(state['customApiKeyResponses']);
  const [approved, rejected] = [asNames(responses['approved']), asNames(responses['rejected'])];
  const end = key?.slice(-20);
  const isAsked =
    end !== undefined && end !== '' && !approved.includes(end) && !rejected.includes(end);
  return JSON.stringify({
    ...state,
    hasCompletedOnboarding: true,
    theme: typeof state['theme'] === 'string' ? state['theme'] : 'dark',
    ...(isAsked && {customApiKeyResponses: {...responses, approved: [...approved, end], rejected}}),
    // Projects outside the worktrees are left out: they do not concern this task's agent.
    projects: Object.fromEntries(
      worktrees.map((worktree) => [
        worktree,
        {
          ...(Object.hasOwn(projects, worktree) ? asFields(projects[worktree]) : {}),
          hasTrustDialogAccepted: true,
        },
      ]),
    ),
  });
}

function asNames(value: unknown): readonly string[] {
  return asList(value).filter((name) => typeof name === 'string');
}
