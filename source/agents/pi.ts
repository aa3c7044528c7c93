import {type Agent, type AgentCommand, type Driver, type Job, versionOnALine} from './driver.ts';
import type {AgentStream, ReadRecord, StreamEvent} from './stream/agent-stream.ts';
import {createParts, type Parts} from './stream/read-stream.ts';
import {asAmount, asFields, asList, asText, contentText, type Fields} from './stream/fields.ts';
import {classifyProblem} from './stream/service-errors.ts';
import {toToolCall} from './stream/tool-call.ts';
import {toolsOfRole} from '../domain/index.ts';
import type {Environment} from '../shared/index.ts';
import {hostsNamedIn, providerHosts} from './model-hosts.ts';
import {buildPiExtension, piSignalsExtension} from './pi-extension.ts';
import {piInteractive} from './pi-interactive.ts';
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
  toToolServers,
} from './command.ts';

export const pi: Agent = {
  name: 'pi',
  program: {
    command: 'pi',
    npmPackage: '@mariozechner/pi-coding-agent',
    versionArguments: ['--version'],
    readVersion: versionOnALine(),
    quiet: {PI_OFFLINE: '1', PI_TELEMETRY: '0'},
    lost: /^No session found matching '[^']*'$/,
  },
};

/** `pi --mode json`. Each update has the new part and the whole message so far. */
export const piStream: AgentStream = {
  open: openStream,
  isProgress: ({type}) => type === 'message_update' || type === 'tool_execution_update',
};

function openStream(): ReadRecord {
  const parts = createParts();
  return (record) => parseRecord(record, parts);
}

function parseRecord(record: Fields, parts: Parts): readonly StreamEvent[] {
  switch (record['type']) {
    case 'session':
      return [{type: 'session', id: asText(record['id'])}];
    case 'message_start':
      parts.clear();
      return [];
    case 'message_update':
      return parseUpdate(asFields(record['assistantMessageEvent']), parts);
    case 'tool_execution_update':
      return [{type: 'writing'}];
    case 'message_end':
      return parseMessage(asFields(record['message']), parts);
    case 'tool_execution_start':
      return [
        {
          type: 'tool-started',
          ...toToolCall(asText(record['toolCallId']), asText(record['toolName']), record['args']),
        },
      ];
    case 'tool_execution_end':
      return [
        {
          type: 'tool-ended',
          id: asText(record['toolCallId']),
          isOk: record['isError'] !== true,
          text: contentText(asFields(record['result'])['content']),
        },
      ];
    case 'auto_retry_start':
      return [parseRetry(record)];
    case 'compaction_start':
      return [{type: 'notice', text: 'The conversation is being compacted.'}];
    default:
      return [];
  }
}

function parseRetry(record: Fields): StreamEvent {
  const text = asText(record['errorMessage']);
  const status = /^([45]\d\d)\b/.exec(text)?.[1];
  return {
    type: 'retry',
    said: text,
    ...(status !== undefined && {status: Number(status)}),
    attempt: asAmount(record['attempt']),
    of: asAmount(record['maxAttempts']),
  };
}

/**
 * An update of the message being written. Thoughts, texts and calls come one after the other, with
 * one index for all.
 */
function parseUpdate(event: Fields, parts: Parts): readonly StreamEvent[] {
  switch (event['type']) {
    case 'text_start':
      parts.begin('text');
      return [];
    case 'thinking_start':
      parts.begin('thought');
      return [];
    case 'text_delta':
      return parts.add('text', asText(event['delta']));
    case 'thinking_delta':
      return parts.add('thought', asText(event['delta']));
    case 'toolcall_start': {
      const call = asFields(
        asList(asFields(event['partial'])['content'])[asAmount(event['contentIndex'])],
      );
      const [id, name] = [asText(call['id']), asText(call['name'])];
      return id === '' || name === '' ? [{type: 'writing'}] : [{type: 'tool-announced', id, name}];
    }

    case 'toolcall_delta':
      return [{type: 'writing'}];
    default:
      return [];
  }
}

function parseMessage(message: Fields, parts: Parts): readonly StreamEvent[] {
  if (message['role'] !== 'assistant') return [];
  const usage = asFields(message['usage']);
  return [
    ...asList(message['content'])
      .map(asFields)
      .flatMap((part) => parsePart(part, parts)),
    {
      type: 'usage',
      usage: {
        input:
          asAmount(usage['input']) + asAmount(usage['cacheRead']) + asAmount(usage['cacheWrite']),
        output: asAmount(usage['output']),
        cost: asAmount(asFields(usage['cost'])['total']),
      },
      of: {
        what: 'step',
        name: `${asText(message['responseId'])} ${asAmount(message['timestamp'])}`,
      },
    },
    ...parseEnd(message),
  ];
}

function parsePart(part: Fields, parts: Parts): readonly StreamEvent[] {
  if (part['type'] === 'text') return parts.finish('text', asText(part['text']));
  return part['type'] === 'thinking' ? parts.finish('thought', asText(part['thinking'])) : [];
}

function parseEnd(message: Fields): readonly StreamEvent[] {
  switch (message['stopReason']) {
    case 'stop':
      return [{type: 'done'}];
    case 'toolUse':
      return [];
    case 'length':
      return [
        {
          type: 'problem',
          problem: {
            kind: 'too-long',
            said: 'Its answer was cut off: it exceeds the output limit of the model.',
          },
        },
      ];
    default:
      return [
        {
          type: 'problem',
          problem: classifyProblem(asText(message['errorMessage']) || 'aborted', {
            name: asText(message['stopReason']),
          }),
        },
      ];
  }
}

const ready = '\\d+(?:\\.\\d+)?%/\\d+';

export const piDriver: Driver = {
  name: 'pi',
  isBuiltIn: false,
  program: 'pi',
  commandOf: buildCommand,
  readOutcome: (ended) => parseOutcome(ended),
  resumesPlans: true,
  resumeArgv: (argv, conversation) => replaceOption(argv, '--session', conversation),
  hasRulesApart: true,
  screen: {ready, isReadyWithText: true, takesInputAtWork: true},
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
    stateDirectory(home, env),
    ...(env['PI_CODING_AGENT_SESSION_DIR'] === undefined
      ? []
      : [env['PI_CODING_AGENT_SESSION_DIR']]),
  ],
  settings: (home, env) => {
    const within = pathsIn(stateDirectory(home, env));
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
  interactive: piInteractive,
  account: 'Start pi once and use /login, or set the key of its provider; then resume.',
};

function stateDirectory(home: string, env: Environment): string {
  return env['PI_CODING_AGENT_DIR'] ?? `${home}/.pi/agent`;
}

/**
 * Pi has no permissions: a planner gets only tools that read, and no extensions, which add tools.
 * Pi has no MCP either: our own extension, written next to the outcome, provides the tools of the
 * servers.
 */
function buildCommand(job: Job): AgentCommand {
  const {mode, prompt, model, outcomeFile} = job;
  const env = {...pi.program?.quiet};
  const servers = toToolServers(job.tools);
  const extension = `${outcomeFile.slice(0, outcomeFile.lastIndexOf('/') + 1)}pi-tools.ts`;
  const files =
    servers.length === 0 ? {} : {files: [{path: extension, text: buildPiExtension(servers)}]};
  const extensionOption = servers.length === 0 ? [] : ['--extension', extension];
  if (mode === 'takeover')
    return {
      argv: [
        'pi',
        ...resumeArguments(job, '--session'),
        ...optionArguments('--model', model),
        ...extensionOption,
      ],
      env,
      ...files,
    };
  const {rules, from} = splitRules(prompt);
  const options = [
    ...(mode === 'plan' ? ['--tools', readingTools(servers.length > 0), '--no-extensions'] : []),
    ...extensionOption,
    ...resumeArguments(job, '--session'),
    ...optionArguments('--model', model),
    ...optionArguments('--append-system-prompt', rules),
  ];
  if (job.isInteractive === true) {
    const signals = `${outcomeFile.slice(0, outcomeFile.lastIndexOf('/') + 1)}pi-signals.ts`;
    return interactiveCommand(job, {
      argv: ['pi', ...options, '--extension', signals],
      env,
      ready,
      from,
      files: [...(files.files ?? []), {path: signals, text: piSignalsExtension}],
    });
  }

  return headlessCommand(job, {
    agent: 'pi',
    argv: ['pi', '-p', '--mode', 'json', ...options],
    env,
    from,
    ...files,
  });
}

function readingTools(hasOwnServer: boolean): string {
  return [
    'read',
    'grep',
    'find',
    'ls',
    ...(hasOwnServer ? toolsOfRole('planner').map((tool) => `${ownServer}_${tool}`) : []),
  ].join(',');
}
