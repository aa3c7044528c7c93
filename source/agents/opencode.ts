import {type Agent, type AgentCommand, type Driver, type Job, versionOnALine} from './driver.ts';
import type {AgentStream, StreamEvent} from './stream/agent-stream.ts';
import {asAmount, asFields, asText, type Fields} from './stream/fields.ts';
import {classifyProblem} from './stream/service-errors.ts';
import {toToolCall} from './stream/tool-call.ts';
import {providerHosts} from './model-hosts.ts';
import {openCodePlugin} from './opencode-plugin.ts';
import {parseOutcome} from './parse-outcome.ts';
import {parseOwnSignal} from './signals.ts';
import {
  headlessCommand,
  interactiveCommand,
  optionArguments,
  replaceOption,
  resumeArguments,
  toolTimeoutMs,
  toToolServers,
} from './command.ts';

export const opencode: Agent = {
  name: 'opencode',
  program: {
    command: 'opencode',
    npmPackage: 'opencode-ai',
    versionArguments: ['--version'],
    readVersion: versionOnALine(),
    quiet: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    },
    // On its own screen the message also has the id.
    lost: /^Error: Session not found(?:: \S+)?$/,
  },
};

/** `opencode run --format json`. */
export const opencodeStream: AgentStream = {
  reportsToolsLate: true,
  open: () => (record) => {
    const id = asText(record['sessionID']);
    return [
      ...(id === '' ? [] : [{type: 'session' as const, id}]),
      ...parseRecord(record, asFields(record['part'])),
    ];
  },
};

function parseRecord(record: Fields, part: Fields): readonly StreamEvent[] {
  switch (record['type']) {
    case 'text':
      return [{type: 'text', text: asText(part['text'])}];
    case 'reasoning':
      return [{type: 'thought', text: asText(part['text'])}];
    case 'tool_use':
      return parseTool(part);
    case 'step_finish':
      return parseStep(part);
    case 'error':
      return parseError(asFields(record['error']));
    default:
      return [];
  }
}

/** A tool call is reported only after it has ended. */
function parseTool(part: Fields): readonly StreamEvent[] {
  const id = asText(part['callID']);
  const state = asFields(part['state']);
  const code = asFields(state['metadata'])['exit'];
  const isOk = state['status'] === 'completed' && (typeof code !== 'number' || code === 0);
  return [
    {type: 'tool-started', ...toToolCall(id, asText(part['tool']), state['input'])},
    {
      type: 'tool-ended',
      id,
      isOk,
      text:
        typeof code === 'number' && code !== 0
          ? `exit code ${code}: ${asText(state['output'])}`
          : asText(state['output']) || asText(state['error']),
    },
  ];
}

function parseStep(part: Fields): readonly StreamEvent[] {
  const tokens = asFields(part['tokens']);
  const cache = asFields(tokens['cache']);
  const usage = {
    input: asAmount(tokens['input']) + asAmount(cache['read']) + asAmount(cache['write']),
    output: asAmount(tokens['output']) + asAmount(tokens['reasoning']),
    cost: asAmount(part['cost']),
  };
  return [
    {type: 'usage', usage, of: {what: 'step', name: asText(part['id'])}},
    ...(part['reason'] === 'tool-calls' ? [] : [{type: 'done' as const}]),
  ];
}

function parseError(error: Fields): readonly StreamEvent[] {
  const data = asFields(error['data']);
  const status = data['statusCode'];
  return [
    {
      type: 'problem',
      problem: classifyProblem(
        asText(data['message']) || asText(error['message']) || asText(error['name']),
        {name: asText(error['name']), ...(typeof status === 'number' && {status})},
      ),
    },
  ];
}

const ready = 'Ask anything|ctrl\\+p';

export const opencodeDriver: Driver = {
  name: 'opencode',
  isBuiltIn: false,
  program: 'opencode',
  commandOf: buildCommand,
  readOutcome: (ended) => parseOutcome(ended),
  resumesPlans: true,
  resumeArgv: (argv, conversation) => replaceOption(argv, '--session', conversation),
  // The first in a new conversation, the second in a resumed one.
  screen: {
    ready,
    takesInputAtWork: true,
    isReadyWithText: true,
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
  // It does not start if it cannot write next to its settings: an ignore file, and packages of
  // plugins.
  settings: (home, env) => {
    const own = `${env['XDG_CONFIG_HOME'] ?? `${home}/.config`}/opencode`;
    const data = `${env['XDG_DATA_HOME'] ?? `${home}/.local/share`}/opencode`;
    return {
      credentials: ['auth.json', 'mcp-auth.json'].map((name) => `${data}/${name}`),
      // Programs and packages that it would otherwise download for each task.
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
  // Its model list, its own service, and the providers with a key. A login with another provider
  // does not show its host.
  hosts: (env) => ['models.dev', 'opencode.ai', ...providerHosts(env)],
  stream: opencodeStream,
  interactive: {parseSignal: parseOwnSignal},
  account: 'Run `opencode auth login` once; then resume.',
};

/**
 * Additional instructions are possible only as files, so the rules stay at the top of the prompt.
 * Headless, it denies what it would ask. Its plan agent may use the shell, so in plan mode the
 * shell is denied to all its agents.
 */
function buildCommand(job: Job): AgentCommand {
  const {mode, model, outcomeFile} = job;
  const isInteractive = mode !== 'takeover' && job.isInteractive === true;
  const plugin = `${outcomeFile.slice(0, outcomeFile.lastIndexOf('/') + 1)}opencode-signals.js`;
  const settings = {
    autoupdate: false,
    share: 'disabled',
    ...(mode === 'plan' && {permission: readOnly, agent: {plan: {permission: readOnly}}}),
    ...serverSettings(job),
    ...(isInteractive && {plugin: [`file://${encodeURI(plugin)}`]}),
  };
  const env = {...opencode.program?.quiet, OPENCODE_CONFIG_CONTENT: JSON.stringify(settings)};
  if (mode === 'takeover')
    return {
      argv: [
        'opencode',
        ...resumeArguments(job, '--session'),
        ...optionArguments('--model', model),
      ],
      env,
    };
  const options = [
    ...(mode === 'plan' ? ['--agent', 'plan'] : []),
    ...resumeArguments(job, '--session'),
    ...optionArguments('--model', model),
  ];
  if (isInteractive)
    return interactiveCommand(job, {
      argv: ['opencode', ...options],
      env,
      ready,
      files: [{path: plugin, text: openCodePlugin}],
    });
  return headlessCommand(job, {
    agent: 'opencode',
    argv: ['opencode', 'run', '--format', 'json', '--thinking', ...options],
    env,
  });
}

const readOnly = {edit: 'deny', bash: 'deny'};

function serverSettings({tools}: Job): {readonly mcp?: object} {
  if (tools === undefined) return {};
  return {
    mcp: Object.fromEntries(
      toToolServers(tools).map(({name, command, args, env}) => [
        name,
        {
          type: 'local',
          command: [command, ...args],
          environment: env,
          enabled: true,
          timeout: toolTimeoutMs(tools),
        },
      ]),
    ),
  };
}
