import type {AgentCommand, Driver} from './driver.ts';
import type {Job} from './job.ts';
import {opencode} from './opencode.ts';
import {providerHosts} from './model-hosts.ts';
import {readOutcome} from './read-outcome.ts';
import {optional, rendered, resumed} from './rendered.ts';
import {opencodeStream} from './stream/read-opencode.ts';
import {toolServersOf, toolTimeoutOf} from './tool-servers-of.ts';

export const opencodeDriver: Driver = {
  name: 'opencode',
  isBuiltIn: false,
  program: 'opencode',
  commandOf,
  readOutcome: (ended) => readOutcome(ended),
  resumesPlans: true,
  // The first in a fresh conversation, the second in one that goes on.
  screen: {
    ready: 'Ask anything|ctrl\\+p',
    question: '^△ (?:Permission required|Always allow|Reject permission)',
    options: 'row',
  },
  needs: [
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'GEMINI_API_KEY',
    'GOOGLE_GENERATIVE_AI_API_KEY',
    'OPENROUTER_API_KEY',
    'OPENCODE_API_KEY',
    'GROQ_API_KEY',
    'XAI_API_KEY',
    'MISTRAL_API_KEY',
    'DEEPSEEK_API_KEY',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'AWS_BEARER_TOKEN_BEDROCK',
    'AWS_PROFILE',
    'AWS_REGION',
    'OPENCODE_CONFIG',
    'OPENCODE_CONFIG_DIR',
  ],
  stateDirectories: (home, env) =>
    [
      env['XDG_CONFIG_HOME'] ?? `${home}/.config`,
      env['XDG_DATA_HOME'] ?? `${home}/.local/share`,
      env['XDG_STATE_HOME'] ?? `${home}/.local/state`,
      env['XDG_CACHE_HOME'] ?? `${home}/.cache`,
    ].map((place) => `${place}/opencode`),
  // It does not start without writing beside its settings: an ignore file, and the packages of plugins.
  settings: (home, env) => {
    const own = `${env['XDG_CONFIG_HOME'] ?? `${home}/.config`}/opencode`;
    const data = `${env['XDG_DATA_HOME'] ?? `${home}/.local/share`}/opencode`;
    return {
      credentials: ['auth.json', 'mcp-auth.json'].map((name) => `${data}/${name}`),
      // Programs and packages that it would otherwise fetch again for each task.
      directoriesIfThere: [
        `${data}/bin`,
        ...['bin', 'node_modules', 'packages'].map(
          (name) => `${env['XDG_CACHE_HOME'] ?? `${home}/.cache`}/opencode/${name}`,
        ),
      ],
      copied: ['package.json', 'bun.lock'].map((name) => `${own}/${name}`),
      files: ['opencode.json', 'opencode.jsonc', 'config.json', 'tui.json', 'AGENTS.md'].map(
        (name) => `${own}/${name}`,
      ),
      directories: [
        'agent',
        'agents',
        'command',
        'commands',
        'mode',
        'modes',
        'plugin',
        'plugins',
        'skill',
        'skills',
        'themes',
        'tool',
        'tools',
      ].map((name) => `${own}/${name}`),
    };
  },
  // The list of its models, its own service, and those for which there is a key. A login of another provider names no host.
  hosts: (env) => ['models.dev', 'opencode.ai', ...providerHosts(env)],
  stream: opencodeStream,
  account: 'Run `opencode auth login` once; then resume.',
};

/**
 * It has a place for text of ours only as files, so the rules stay at the top of the prompt. Where nobody can answer it
 * denies what it would ask, and with a plan agent that may use the shell the shell is denied to all its agents.
 */
function commandOf(job: Job): AgentCommand {
  const {mode, model} = job;
  const settings = {
    autoupdate: false,
    share: 'disabled',
    ...(mode === 'plan' && {permission: readOnly, agent: {plan: {permission: readOnly}}}),
    ...serversOf(job),
  };
  const env = {...opencode.program?.quiet, OPENCODE_CONFIG_CONTENT: JSON.stringify(settings)};
  if (mode === 'takeover')
    return {argv: ['opencode', ...resumed(job, '--session'), ...optional('--model', model)], env};
  return rendered(job, {
    agent: 'opencode',
    argv: [
      'opencode',
      'run',
      '--format',
      'json',
      '--thinking',
      ...(mode === 'plan' ? ['--agent', 'plan'] : []),
      ...resumed(job, '--session'),
      ...optional('--model', model),
    ],
    env,
  });
}

const readOnly = {edit: 'deny', bash: 'deny'};

function serversOf({tools}: Job): {readonly mcp?: object} {
  if (tools === undefined) return {};
  return {
    mcp: Object.fromEntries(
      toolServersOf(tools).map(({name, command, args, env}) => [
        name,
        {
          type: 'local',
          command: [command, ...args],
          environment: env,
          enabled: true,
          timeout: toolTimeoutOf(tools),
        },
      ]),
    ),
  };
}
