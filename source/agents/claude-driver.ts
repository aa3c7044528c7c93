import {claude} from './claude.ts';
import {answeredForClaude} from './claude-answers.ts';
import type {AgentCommand, Driver} from './driver.ts';
import type {Job} from './job.ts';
import {hostsNamedIn} from './model-hosts.ts';
import {readOutcome} from './read-outcome.ts';
import {optional, rendered, resumed} from './rendered.ts';
import {splitRules} from './split-rules.ts';
import {claudeStream} from './stream/read-claude.ts';
import {ownServer, startTimeoutMs, toolServersOf, toolTimeoutOf} from './tool-servers-of.ts';

export const claudeDriver: Driver = {
  name: 'claude',
  isBuiltIn: false,
  program: 'claude',
  commandOf,
  readOutcome: (ended) => readOutcome(ended),
  resumesPlans: true,
  screen: {
    ready: '^\\s*❯(?!\\s*\\d+\\.)',
    question:
      '^(?:Do you want to |Would you like to |Do you trust |Quick safety check|New MCP servers? found|\\d+ new MCP servers found)',
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
    const within = (...names: readonly string[]): readonly string[] =>
      names.map((name) => `${own}/${name}`);
    return {
      files: within('settings.json', 'settings.local.json', 'CLAUDE.md', 'keybindings.json'),
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
          answer: (text, worktrees) => answeredForClaude(text, worktrees, env['ANTHROPIC_API_KEY']),
        },
      ],
    };
  },
  // Without it the file with its answers lies beside the directory, in the person's home, where nobody writes: it would ask at every start.
  ownStateEnv: (home, env) => ({CLAUDE_CONFIG_DIR: env['CLAUDE_CONFIG_DIR'] ?? `${home}/.claude`}),
  // The second and the third renew a login.
  hosts: (env) => [
    'api.anthropic.com',
    'claude.ai',
    'platform.claude.com',
    ...hostsNamedIn(env, ['ANTHROPIC_BASE_URL']),
  ],
  stream: claudeStream,
  account: 'Start claude once and log in, or set ANTHROPIC_API_KEY; then resume.',
};

/**
 * Nothing is ever asked of a person in `-p`: what is not allowed is denied. A worker may edit its worktree; its shell is
 * opened only inside of our sandbox, else it may run what the person's own settings allow. Several values of one option stand
 * in one argument, so that none takes the next for its own. It waits for its servers of tools, or the first turn would be without.
 */
function commandOf(job: Job): AgentCommand {
  const {mode, prompt, model, isConfined} = job;
  const env = {
    ...claude.program?.quiet,
    ...(job.tools !== undefined && {
      MCP_TIMEOUT: String(startTimeoutMs),
      ...(mode !== 'takeover' && {MCP_CONNECTION_NONBLOCKING: 'false'}),
    }),
  };
  const tools = toolServersOf(job.tools).map(({name}) => `mcp__${name}`);
  if (mode === 'takeover')
    return {
      argv: [
        'claude',
        ...resumed(job, '--resume'),
        ...optional('--model', model),
        ...serversOf(job),
        ...allowed(tools),
      ],
      env,
    };
  const {rules, from} = splitRules(prompt);
  const leave =
    mode === 'plan'
      ? [
          '--permission-mode',
          'plan',
          '--disallowedTools=Bash,Edit,Write,NotebookEdit',
          ...allowed(tools),
        ]
      : [
          '--permission-mode',
          'acceptEdits',
          ...allowed([...(isConfined === true ? ['Bash'] : []), ...tools]),
        ];
  return rendered(job, {
    agent: 'claude',
    argv: [
      'claude',
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--include-partial-messages',
      ...leave,
      ...serversOf(job),
      ...optional('--model', model),
      ...resumed(job, '--resume'),
      ...optional('--append-system-prompt', rules),
    ],
    env,
    from,
  });
}

function allowed(names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`--allowedTools=${names.join(',')}`];
}

/** Whoever works for us has the servers of its task and no others; a person who takes over keeps their own as well. Ours are few, and never hidden behind a search. */
function serversOf({tools, mode}: Job): readonly string[] {
  if (tools === undefined) return [];
  const mcpServers = Object.fromEntries(
    toolServersOf(tools).map(({name, ...server}) => [
      name,
      {
        type: 'stdio',
        ...server,
        timeout: toolTimeoutOf(tools),
        ...(name === ownServer && {alwaysLoad: true}),
      },
    ]),
  );
  return [
    `--mcp-config=${JSON.stringify({mcpServers})}`,
    ...(mode === 'takeover' ? [] : ['--strict-mcp-config']),
  ];
}
