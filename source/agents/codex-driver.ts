import type {AgentCommand, Driver} from './driver.ts';
import type {Job} from './job.ts';
import {hostsNamedIn, providerHosts} from './model-hosts.ts';
import {readOutcome} from './read-outcome.ts';
import {optional, rendered, resumed} from './rendered.ts';
import {splitRules} from './split-rules.ts';
import {codexLacks} from './codex-lacks.ts';
import {codexStream} from './stream/read-codex.ts';
import {ownServer, startTimeoutMs, toolServersOf, toolTimeoutOf} from './tool-servers-of.ts';

export const codexDriver: Driver = {
  name: 'codex',
  isBuiltIn: false,
  program: 'codex',
  commandOf,
  readOutcome: (ended) => readOutcome(ended),
  resumesPlans: true,
  screen: {
    ready: '^› Ask Codex',
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
  stateDirectories: (home, env) => [homeOf(home, env)],
  settings: (home, env) => {
    const own = homeOf(home, env);
    const within = (...names: readonly string[]): readonly string[] =>
      names.map((name) => `${own}/${name}`);
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
  // With an account of ChatGPT the second and the third.
  hosts: (env) => [
    'api.openai.com',
    'chatgpt.com',
    'auth.openai.com',
    ...hostsNamedIn(env, ['OPENAI_BASE_URL']),
    ...providerHosts(env, ['OPENROUTER_API_KEY']),
  ],
  stream: codexStream,
  lacks: (passed, home, read) =>
    codexLacks(read(`${homeOf(home, passed)}/config.toml`) ?? '', passed),
  account: 'Run `codex login` once, or set OPENAI_API_KEY; then resume.',
};

function homeOf(home: string, env: Readonly<Record<string, string | undefined>>): string {
  return env['CODEX_HOME'] ?? `${home}/.codex`;
}

/** Its updates and statistics are off only by its own settings, which arguments may override. */
const quiet = ['-c', 'check_for_update_on_startup=false', '-c', 'analytics.enabled=false'];

/** Commands run in codex's own sandbox, and nothing is asked: what the sandbox forbids fails. `resume` takes the sandbox as a setting only. */
function commandOf(job: Job): AgentCommand {
  const {mode, prompt, model} = job;
  if (mode === 'takeover')
    return {
      argv: [
        'codex',
        ...resumed(job, 'resume'),
        '--no-daemon',
        ...quiet,
        ...trustOf(job),
        ...serversOf(job),
        ...optional('-m', model),
      ],
      env: {},
    };
  const {rules, from} = splitRules(prompt);
  const settings = [
    `sandbox_mode="${sandboxOf(job)}"`,
    'approval_policy="never"',
    ...(rules === '' ? [] : [`developer_instructions=${tomlOf(rules)}`]),
  ];
  return rendered(job, {
    agent: 'codex',
    argv: [
      'codex',
      'exec',
      ...resumed(job, 'resume'),
      '--json',
      ...quiet,
      ...serversOf(job),
      ...settings.flatMap((setting) => ['-c', setting]),
      ...optional('-m', model),
      '-',
    ],
    env: {},
    from,
  });
}

/** For this start and this folder alone, and only in our sandbox: what a folder brings runs as soon as it is trusted. Elsewhere the person is asked. */
function trustOf({isConfined, directory}: Job): readonly string[] {
  return isConfined === true
    ? ['-c', `projects={${tomlOf(directory)}={trust_level="trusted"}}`]
    : [];
}

/** Settings of this start alone. Each call is allowed: what it would ask, nobody could answer. */
function serversOf({tools}: Job): readonly string[] {
  if (tools === undefined) return [];
  return toolServersOf(tools).flatMap(({name, command, args, env}) => {
    const settings = {
      command: tomlOf(command),
      args: `[${args.map(tomlOf).join(',')}]`,
      env: `{${Object.entries(env)
        .map(([key, value]) => `${key}=${tomlOf(value)}`)
        .join(',')}}`,
      startup_timeout_sec: startTimeoutMs / 1000,
      tool_timeout_sec: Math.ceil(toolTimeoutOf(tools) / 1000),
      default_tools_approval_mode: '"approve"',
      // It does not wait for the others: those are there when they are.
      ...(name === ownServer && {required: 'true'}),
    };
    return Object.entries(settings).flatMap(([key, value]) => [
      '-c',
      `mcp_servers.${name}.${key}=${value}`,
    ]);
  });
}

/** Inside of our sandbox root cannot make another, and codex would run no command at all, not even to read: there ours alone holds. */
function sandboxOf({mode, isConfined, nestsSandboxes}: Job): string {
  if (isConfined === true && nestsSandboxes === false) return 'danger-full-access';
  return mode === 'plan' ? 'read-only' : 'workspace-write';
}

/** A basic string of TOML has JSON's escapes, and one control character more that must be escaped. */
function tomlOf(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', '\\u007F');
}
