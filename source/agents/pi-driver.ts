import {toolsOfRole} from '../domain/index.ts';
import type {AgentCommand, Driver} from './driver.ts';
import type {Job} from './job.ts';
import {hostsNamedIn, providerHosts} from './model-hosts.ts';
import {piExtensionOf} from './pi-extension-of.ts';
import {pi} from './pi.ts';
import {readOutcome} from './read-outcome.ts';
import {optional, rendered, resumed} from './rendered.ts';
import {splitRules} from './split-rules.ts';
import {piStream} from './stream/read-pi.ts';
import {ownServer, toolServersOf} from './tool-servers-of.ts';

export const piDriver: Driver = {
  name: 'pi',
  isBuiltIn: false,
  program: 'pi',
  commandOf,
  readOutcome: (ended) => readOutcome(ended),
  resumesPlans: true,
  screen: {ready: '\\d+(?:\\.\\d+)?%/\\d+'},
  needs: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_OAUTH_TOKEN',
    'OPENAI_API_KEY',
    'AZURE_OPENAI_API_KEY',
    'GEMINI_API_KEY',
    'DEEPSEEK_API_KEY',
    'GROQ_API_KEY',
    'CEREBRAS_API_KEY',
    'XAI_API_KEY',
    'OPENROUTER_API_KEY',
    'AI_GATEWAY_API_KEY',
    'ZAI_API_KEY',
    'MISTRAL_API_KEY',
    'MINIMAX_API_KEY',
    'MOONSHOT_API_KEY',
    'OPENCODE_API_KEY',
    'KIMI_API_KEY',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_BEARER_TOKEN_BEDROCK',
    'AWS_PROFILE',
    'AWS_REGION',
    'AZURE_OPENAI_BASE_URL',
    'AZURE_OPENAI_RESOURCE_NAME',
    'AZURE_OPENAI_API_VERSION',
    'PI_CODING_AGENT_DIR',
    'PI_CODING_AGENT_SESSION_DIR',
    'PI_PACKAGE_DIR',
  ],
  stateDirectories: (home, env) => [
    homeOf(home, env),
    ...(env['PI_CODING_AGENT_SESSION_DIR'] === undefined
      ? []
      : [env['PI_CODING_AGENT_SESSION_DIR']]),
  ],
  settings: (home, env) => {
    const own = homeOf(home, env);
    const within = (...names: readonly string[]): readonly string[] =>
      names.map((name) => `${own}/${name}`);
    return {
      files: within(
        'settings.json',
        'models.json',
        'AGENTS.md',
        'SYSTEM.md',
        'APPEND_SYSTEM.md',
        'keybindings.json',
      ),
      directories: within('extensions', 'prompts', 'skills', 'themes', 'tools', 'npm', 'git'),
      directoriesIfThere: within('bin'),
      credentials: within('auth.json'),
    };
  },
  hosts: (env) => [...providerHosts(env), ...hostsNamedIn(env, ['AZURE_OPENAI_BASE_URL'])],
  stream: piStream,
  account: 'Start pi once and use /login, or set the key of its provider; then resume.',
};

function homeOf(home: string, env: Readonly<Record<string, string | undefined>>): string {
  return env['PI_CODING_AGENT_DIR'] ?? `${home}/.pi/agent`;
}

/**
 * It has no permissions at all: a planner gets the tools that only read, and nobody else's (extensions bring tools, too). Nor has it
 * servers of tools: an extension of ours, beside the outcome, brings theirs.
 */
function commandOf(job: Job): AgentCommand {
  const {mode, prompt, model, outcomeFile} = job;
  const env = {...pi.program?.quiet};
  const servers = toolServersOf(job.tools);
  const extension = `${outcomeFile.slice(0, outcomeFile.lastIndexOf('/') + 1)}pi-tools.ts`;
  const files =
    servers.length === 0 ? {} : {files: [{path: extension, text: piExtensionOf(servers)}]};
  const brought = servers.length === 0 ? [] : ['--extension', extension];
  if (mode === 'takeover')
    return {
      argv: ['pi', ...resumed(job, '--session'), ...optional('--model', model), ...brought],
      env,
      ...files,
    };
  const {rules, from} = splitRules(prompt);
  return rendered(job, {
    agent: 'pi',
    argv: [
      'pi',
      '-p',
      '--mode',
      'json',
      ...(mode === 'plan' ? ['--tools', readingTools(servers.length > 0), '--no-extensions'] : []),
      ...brought,
      ...resumed(job, '--session'),
      ...optional('--model', model),
      ...optional('--append-system-prompt', rules),
    ],
    env,
    from,
    ...files,
  });
}

function readingTools(hasOurs: boolean): string {
  return [
    'read',
    'grep',
    'find',
    'ls',
    ...(hasOurs ? toolsOfRole('planner').map((tool) => `${ownServer}_${tool}`) : []),
  ].join(',');
}
