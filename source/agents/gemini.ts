import type {Usage} from '../domain/index.ts';
import type {AgentStream, StreamEvent} from './stream/agent-stream.ts';
import {asAmount, asFields, asList, asText, type Fields, parseObject} from './stream/fields.ts';
import {classifyProblem, parseNotice} from './stream/service-errors.ts';
import {toToolCall} from './stream/tool-call.ts';
import {type Agent, type AgentCommand, type Driver, type Job, versionOnALine} from './driver.ts';
import type {Environment} from '../shared/index.ts';
import {hostsNamedIn} from './model-hosts.ts';
import {geminiInteractive, hookSettings} from './gemini-interactive.ts';
import {parseOutcome} from './parse-outcome.ts';
import {
  headlessCommand,
  interactiveCommand,
  optionArguments,
  ownServer,
  pathsIn,
  replaceOption,
  resumeArguments,
  toolTimeoutMs,
  toToolServers,
} from './command.ts';

/**
 * `gemini -o stream-json`. It reports usage only at the end; until then its own session file is
 * read.
 */
export const geminiStream: AgentStream = {
  open: () => parseRecord,
  earlier: {
    directory: (home, env) => `${env['GEMINI_CLI_HOME'] ?? home}/.gemini/tmp`,
    fileEnd: (conversation) => `-${conversation.slice(0, 8)}.jsonl`,
    read: parseEarlierUsage,
  },
};

/**
 * Sums up gemini's session file: one message a line; a changed message comes again with the same
 * id.
 */
function parseEarlierUsage(text: string): Usage | undefined {
  const messages = new Map<string, Usage>();
  for (const line of text.split('\n').filter((one) => one.includes('"tokens"'))) {
    try {
      const message = asFields(JSON.parse(line));
      const tokens = asFields(message['tokens']);
      messages.set(asText(message['id']), {
        input: asAmount(tokens['input']),
        output: asAmount(tokens['output']),
      });
    } catch {
      // An incomplete line: gemini is still writing it.
    }
  }

  const all = [...messages.values()];
  return all.length === 0
    ? undefined
    : {
        input: all.reduce((sum, {input}) => sum + input, 0),
        output: all.reduce((sum, {output}) => sum + output, 0),
      };
}

function parseRecord(record: Fields): readonly StreamEvent[] {
  switch (record['type']) {
    case 'init':
      return [{type: 'session', id: asText(record['session_id']), model: asText(record['model'])}];
    case 'message':
      return record['role'] === 'assistant'
        ? [
            {
              type: 'text',
              text: asText(record['content']),
              ...(record['delta'] === true && {isPart: true as const}),
            },
          ]
        : [];
    case 'tool_use':
      return [
        {
          type: 'tool-started',
          ...toToolCall(
            asText(record['tool_id']),
            asText(record['tool_name']),
            record['parameters'],
          ),
        },
      ];
    case 'tool_result':
      return [
        {
          type: 'tool-ended',
          id: asText(record['tool_id']),
          isOk: record['status'] === 'success',
          text: asText(record['output']) || asText(asFields(record['error'])['message']),
        },
      ];
    case 'error':
      return [parseNotice(asText(record['message']))];
    case 'result':
      return parseEnd(record);
    default:
      return [];
  }
}

function parseEnd(record: Fields): readonly StreamEvent[] {
  const stats = asFields(record['stats']);
  const usage: Usage = {
    input: asAmount(stats['input_tokens']),
    output: asAmount(stats['output_tokens']),
  };
  const error = asFields(record['error']);
  return [
    {type: 'usage', usage, of: {what: 'start'}},
    record['status'] === 'success'
      ? {type: 'done'}
      : {
          type: 'problem',
          problem: classifyProblem(asText(error['message']), {name: asText(error['type'])}),
        },
  ];
}

/** Only its own settings.json switches its updates off. */
export const gemini: Agent = {
  name: 'gemini',
  program: {
    command: 'gemini',
    npmPackage: '@google/gemini-cli',
    versionArguments: ['--version'],
    readVersion: versionOnALine(),
    quiet: {},
    // The second pattern is the last of three lines that start with `Error resuming session:
    // Invalid session identifier …`.
    lost: /^Error resuming session: (?:No previous sessions found|Invalid session identifier)|^Use --list-sessions to see available sessions, then use --resume/,
  },
};

const ready = '^\\W*Type your message';

const relaunchCode = 199;

export const geminiDriver: Driver = {
  name: 'gemini',
  isBuiltIn: false,
  program: 'gemini',
  commandOf: buildCommand,
  // It restarts itself that way after a person trusted the folder; nothing failed.
  readOutcome: (ended) =>
    ended.code === relaunchCode
      ? {at: 'interrupted', words: 'gemini restarts to apply a change of trust.'}
      : parseOutcome(ended),
  resumesPlans: true,
  resumeArgv: (argv, conversation) => replaceOption(argv, '--resume', conversation),
  screen: {
    ready,
    takesInputAtWork: true,
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
  stateDirectories: (home, env) => [stateDirectory(home, env)],
  settings: (home, env) => {
    const within = pathsIn(stateDirectory(home, env));
    return {
      files: within('GEMINI.md', '.env'),
      filesIfThere: within('settings.json', 'trustedFolders.json'),
      directories: within('agents', 'commands', 'extensions', 'policies', 'skills'),
      credentials: within('oauth_creds.json', 'mcp-oauth-tokens.json'),
      copied: within('installation_id', 'google_accounts.json', 'state.json', 'user_id'),
    };
  },
  settingsFile: (home, env) => `${stateDirectory(home, env)}/settings.json`,
  // A Google account uses the second and the third.
  hosts: (env) => [
    'generativelanguage.googleapis.com',
    'cloudcode-pa.googleapis.com',
    'oauth2.googleapis.com',
    ...hostsNamedIn(env, ['GOOGLE_GEMINI_BASE_URL', 'GOOGLE_VERTEX_BASE_URL']),
  ],
  stream: geminiStream,
  interactive: geminiInteractive((text) => parseEarlierUsage(text)),
  lacksUnconfined:
    "without the sandbox, gemini ignores orchestra's settings unless root owns all " +
    "directories above them, so its sessions lack orchestra's tools. Use the sandbox",
  account: 'Start gemini once and sign in, or set GEMINI_API_KEY; then resume.',
};

function stateDirectory(home: string, env: Environment): string {
  return `${env['GEMINI_CLI_HOME'] ?? home}/.gemini`;
}

/**
 * It accepts no additional instructions, so the rules stay at the top of the prompt. Headless, it
 * denies what it would ask. It would restart itself with more memory, as a child that signals do
 * not reach; that is switched off.
 */
function buildCommand(job: Job): AgentCommand {
  const {mode, model, isConfined} = job;
  const {files, inPlace, variables} = buildSettings(job);
  // On its own screen outside our sandbox gemini asks the person, because a trusted folder can run code.
  const isTrusted = (mode !== 'takeover' && job.isInteractive !== true) || isConfined === true;
  const env = {
    ...variables,
    ...(isTrusted && {GEMINI_CLI_TRUST_WORKSPACE: 'true'}),
    GEMINI_TELEMETRY_ENABLED: 'false',
    GEMINI_CLI_NO_RELAUNCH: 'true',
  };
  const servers = toToolServers(job.tools).map(({name}) => `--allowed-mcp-server-names=${name}`);
  if (mode === 'takeover')
    return {
      argv: ['gemini', ...resumeArguments(job, '--resume'), ...optionArguments('-m', model)],
      env,
      files,
      ...inPlace,
    };
  // In plan mode a trusted server is not enough; its tools must be allowed by name.
  const permissions =
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
  const options = [
    ...permissions,
    ...servers,
    ...resumeArguments(job, '--resume'),
    ...optionArguments('-m', model),
  ];
  if (job.isInteractive === true)
    return interactiveCommand(job, {argv: ['gemini', ...options], env, ready, files, ...inPlace});
  return headlessCommand(job, {
    agent: 'gemini',
    argv: ['gemini', '-o', 'stream-json', ...options],
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
 * Gemini (0.61) reads system settings only if the file and every directory above it belong to root
 * and only root may write them: never for a normal user, and never in that user's sandbox. So in a
 * sandbox a copy of the person's settings, merged over ours, is shown in their place. Without a
 * sandbox, or if theirs cannot be parsed, ours are the system's defaults.
 */
function buildSettings(job: Job): Settings {
  const directory = job.outcomeFile.slice(0, job.outcomeFile.lastIndexOf('/') + 1);
  const merged = job.isConfined === true ? mergedSettings(job) : undefined;
  if (merged === undefined || job.ownSettings === undefined) {
    const defaults = `${directory}gemini-defaults.json`;
    return {
      files: [
        {
          path: defaults,
          text: JSON.stringify({
            ...quietSettings,
            ...serverSettings(job),
            ...planSettings(job),
            ...hookSettings(job),
          }),
        },
      ],
      inPlace: {},
      variables: {GEMINI_CLI_SYSTEM_DEFAULTS_PATH: defaults},
    };
  }

  const file = `${directory}gemini-settings.json`;
  return {
    files: [{path: file, text: JSON.stringify(merged)}],
    inPlace: {inPlace: [{path: job.ownSettings.path, from: file}]},
    variables: {},
  };
}

function mergedSettings(job: Job): object | undefined {
  // Gemini also accepts comments, which we cannot parse.
  const own = parseObject(job.ownSettings?.text ?? '{}');
  if (own === undefined) return undefined;
  const under = Object.fromEntries(
    Object.entries(quietSettings).map(([name, values]) => [
      name,
      {...values, ...asFields(own[name])},
    ]),
  );
  const {mcpServers} = serverSettings(job);
  return {
    ...own,
    ...under,
    ...(mcpServers === undefined
      ? {}
      : {mcpServers: {...asFields(own['mcpServers']), ...mcpServers}}),
    ...planSettings(job, own),
    ...hookSettings(job, own),
  };
}

/** Defaults with the lowest priority: settings of the person or their organisation win. */
const quietSettings = {
  general: {enableAutoUpdate: false, enableAutoUpdateNotification: false},
  privacy: {usageStatisticsEnabled: false},
  telemetry: {enabled: false},
};

/**
 * In its own interface gemini ends plan mode by asking the person whether it may edit now. Here the
 * plan is handed in and approved elsewhere, so that tool is left out.
 */
function planSettings({mode, isInteractive}: Job, own: Fields = {}): {readonly tools?: object} {
  if (mode !== 'plan' || isInteractive !== true) return {};
  const tools = asFields(own['tools']);
  return {tools: {...tools, exclude: [...asList(tools['exclude']), 'exit_plan_mode']}};
}

/** The servers are trusted, because nobody could answer a question about a call. */
function serverSettings({tools}: Job): {readonly mcpServers?: object} {
  if (tools === undefined) return {};
  return {
    mcpServers: Object.fromEntries(
      toToolServers(tools).map(({name, ...server}) => [
        name,
        {...server, timeout: toolTimeoutMs(tools), trust: true},
      ]),
    ),
  };
}
