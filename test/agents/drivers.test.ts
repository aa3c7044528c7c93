import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  type AgentCommand,
  drivers,
  findDriver,
  type Job,
  toTerminalArgv,
} from '../../source/agents/index.ts';
import {splitRules} from '../../source/agents/command.ts';
import {fc} from '../support/property.ts';

const rules = '# Rules\n\nPosition is priority.\n\n1.1 Be "nice" to $HOME.\n2.1 No `rm`.';
const job: Job = {
  mode: 'work',
  directory: '/w',
  prompt: `${rules}\n\n# Task t1: Greet\n\nHello.\n`,
  promptFile: '/x/prompt.md',
  outcomeFile: '/x/outcome.json',
};
const from = String(rules.length + 2);

function getCommand(name: string, changes: Partial<Job>): AgentCommand {
  const found = findDriver(name, []);
  assert('driver' in found);
  const command = found.driver.commandOf({...job, ...changes});
  assert('argv' in command);
  return command;
}

const codexQuiet = ['-c', 'check_for_update_on_startup=false', '-c', 'analytics.enabled=false'];
const codexRules = ['-c', `developer_instructions=${JSON.stringify(rules)}`];

describe('how each agent is started:', () => {
  const cases: readonly (readonly [
    agent: string,
    name: string,
    changes: Partial<Job>,
    argv: readonly string[],
  ])[] = [
    [
      'claude',
      'to go on planning',
      {mode: 'plan', conversation: 'c1'},
      [
        '-p',
        '--output-format',
        'stream-json',
        '--verbose',
        '--include-partial-messages',
        '--permission-mode',
        'plan',
        '--disallowedTools=Bash,Edit,Write,NotebookEdit',
        '--resume',
        'c1',
        '--append-system-prompt',
        rules,
      ],
    ],
    [
      'claude',
      'to plan',
      {mode: 'plan'},
      [
        '-p',
        '--output-format',
        'stream-json',
        '--verbose',
        '--include-partial-messages',
        '--permission-mode',
        'plan',
        '--disallowedTools=Bash,Edit,Write,NotebookEdit',
        '--append-system-prompt',
        rules,
      ],
    ],
    [
      'claude',
      'to work',
      {},
      [
        '-p',
        '--output-format',
        'stream-json',
        '--verbose',
        '--include-partial-messages',
        '--permission-mode',
        'acceptEdits',
        '--append-system-prompt',
        rules,
      ],
    ],
    [
      'claude',
      'to work in our sandbox',
      {isConfined: true, model: 'opus'},
      [
        '-p',
        '--output-format',
        'stream-json',
        '--verbose',
        '--include-partial-messages',
        '--permission-mode',
        'acceptEdits',
        '--allowedTools=Bash',
        '--model',
        'opus',
        '--append-system-prompt',
        rules,
      ],
    ],
    [
      'claude',
      'to go on',
      {conversation: 'c1'},
      [
        '-p',
        '--output-format',
        'stream-json',
        '--verbose',
        '--include-partial-messages',
        '--permission-mode',
        'acceptEdits',
        '--resume',
        'c1',
        '--append-system-prompt',
        rules,
      ],
    ],
    [
      'claude',
      'to be taken over',
      {mode: 'takeover', conversation: 'c1', isConfined: true},
      ['--resume', 'c1'],
    ],
    ['claude', 'to be taken over without a conversation', {mode: 'takeover'}, []],
    [
      'codex',
      'to go on planning',
      {mode: 'plan', conversation: 'c1'},
      [
        'exec',
        'resume',
        'c1',
        '--json',
        ...codexQuiet,
        '-c',
        'sandbox_mode="read-only"',
        '-c',
        'approval_policy="never"',
        ...codexRules,
        '-',
      ],
    ],
    [
      'codex',
      'to plan',
      {mode: 'plan'},
      [
        'exec',
        '--json',
        ...codexQuiet,
        '-c',
        'sandbox_mode="read-only"',
        '-c',
        'approval_policy="never"',
        ...codexRules,
        '-',
      ],
    ],
    [
      'codex',
      'to work',
      {model: 'o9'},
      [
        'exec',
        '--json',
        ...codexQuiet,
        '-c',
        'sandbox_mode="workspace-write"',
        '-c',
        'approval_policy="never"',
        ...codexRules,
        '-m',
        'o9',
        '-',
      ],
    ],
    [
      'codex',
      'to plan in our sandbox where its own does not work',
      {mode: 'plan', isConfined: true, nestsSandboxes: false},
      [
        'exec',
        '--json',
        ...codexQuiet,
        '-c',
        'sandbox_mode="danger-full-access"',
        '-c',
        'approval_policy="never"',
        ...codexRules,
        '-',
      ],
    ],
    [
      'codex',
      'to work where there is no sandbox at all',
      {nestsSandboxes: false},
      [
        'exec',
        '--json',
        ...codexQuiet,
        '-c',
        'sandbox_mode="workspace-write"',
        '-c',
        'approval_policy="never"',
        ...codexRules,
        '-',
      ],
    ],
    [
      'codex',
      'to go on',
      {conversation: 'c1'},
      [
        'exec',
        'resume',
        'c1',
        '--json',
        ...codexQuiet,
        '-c',
        'sandbox_mode="workspace-write"',
        '-c',
        'approval_policy="never"',
        ...codexRules,
        '-',
      ],
    ],
    [
      'codex',
      'to be taken over',
      {mode: 'takeover', conversation: 'c1'},
      ['resume', 'c1', '--no-daemon', ...codexQuiet],
    ],
    [
      'codex',
      'to be taken over in our sandbox, where the folder is trusted for this start',
      {mode: 'takeover', conversation: 'c1', isConfined: true},
      [
        'resume',
        'c1',
        '--no-daemon',
        ...codexQuiet,
        '-c',
        'projects={"/w"={trust_level="trusted"}}',
      ],
    ],
    [
      'gemini',
      'to go on planning',
      {mode: 'plan', conversation: 'c1'},
      ['-o', 'stream-json', '--approval-mode', 'plan', '--resume', 'c1'],
    ],
    ['gemini', 'to plan', {mode: 'plan'}, ['-o', 'stream-json', '--approval-mode', 'plan']],
    ['gemini', 'to work', {}, ['-o', 'stream-json', '--approval-mode', 'auto_edit']],
    [
      'gemini',
      'to work in our sandbox',
      {isConfined: true, model: 'pro'},
      [
        '-o',
        'stream-json',
        '--approval-mode',
        'auto_edit',
        '--allowed-tools',
        'run_shell_command',
        '-m',
        'pro',
      ],
    ],
    [
      'gemini',
      'to go on',
      {conversation: 'c1'},
      ['-o', 'stream-json', '--approval-mode', 'auto_edit', '--resume', 'c1'],
    ],
    ['gemini', 'to be taken over', {mode: 'takeover', conversation: 'c1'}, ['--resume', 'c1']],
    [
      'opencode',
      'to go on planning',
      {mode: 'plan', conversation: 'c1'},
      ['run', '--format', 'json', '--thinking', '--agent', 'plan', '--session', 'c1'],
    ],
    [
      'opencode',
      'to plan',
      {mode: 'plan'},
      ['run', '--format', 'json', '--thinking', '--agent', 'plan'],
    ],
    ['opencode', 'to work', {isConfined: true}, ['run', '--format', 'json', '--thinking']],
    [
      'opencode',
      'to go on',
      {conversation: 'c1', model: 'a/b'},
      ['run', '--format', 'json', '--thinking', '--session', 'c1', '--model', 'a/b'],
    ],
    ['opencode', 'to be taken over', {mode: 'takeover', conversation: 'c1'}, ['--session', 'c1']],
    [
      'pi',
      'to go on planning',
      {mode: 'plan', conversation: 'c1'},
      [
        '-p',
        '--mode',
        'json',
        '--tools',
        'read,grep,find,ls',
        '--no-extensions',
        '--session',
        'c1',
        '--append-system-prompt',
        rules,
      ],
    ],
    [
      'pi',
      'to plan',
      {mode: 'plan'},
      [
        '-p',
        '--mode',
        'json',
        '--tools',
        'read,grep,find,ls',
        '--no-extensions',
        '--append-system-prompt',
        rules,
      ],
    ],
    [
      'pi',
      'to work',
      {isConfined: true},
      ['-p', '--mode', 'json', '--append-system-prompt', rules],
    ],
    [
      'pi',
      'to go on',
      {conversation: 'c1', model: 'a/b'},
      [
        '-p',
        '--mode',
        'json',
        '--session',
        'c1',
        '--model',
        'a/b',
        '--append-system-prompt',
        rules,
      ],
    ],
    ['pi', 'to be taken over', {mode: 'takeover', conversation: 'c1'}, ['--session', 'c1']],
  ];
  for (const [agent, name, changes, argv] of cases) {
    test(`${agent} ${name}`, () => {
      assert.deepEqual(getCommand(agent, changes).argv, [agent, ...argv]);
    });
  }
});

describe('how each agent is shown:', () => {
  for (const [agent, begins] of [
    ['claude', from],
    ['codex', from],
    ['gemini', '0'],
    ['opencode', '0'],
    ['pi', from],
  ] as const) {
    test(agent, () => {
      const shown = [
        'agent',
        'run',
        '--agent',
        agent,
        '--mode',
        'work',
        '--prompt-file',
        '/x/prompt.md',
        '--prompt-from',
        begins,
        '--outcome-file',
        '/x/outcome.json',
      ];
      assert.deepEqual(getCommand(agent, {}).renderer, shown);
      assert.deepEqual(getCommand(agent, {conversation: 'c1'}).renderer, [
        ...shown,
        '--conversation',
        'c1',
      ]);
      assert.deepEqual(getCommand(agent, {mode: 'plan', conversation: 'c1'}).renderer, [
        ...shown.with(5, 'plan'),
        '--conversation',
        'c1',
      ]);
      assert.equal(getCommand(agent, {mode: 'takeover'}).renderer, undefined);
    });
  }

  test('by this very program, with the agent behind a double dash', () => {
    assert.deepEqual(
      toTerminalArgv(
        {argv: ['a', '-x'], env: {}, renderer: ['agent', 'run']},
        ['/bin/a'],
        ['/node', '/o.js'],
      ),
      ['/node', '/o.js', 'agent', 'run', '--', '/bin/a', '-x'],
    );
    assert.throws(
      () => toTerminalArgv({argv: ['a'], env: {}, renderer: ['agent', 'run']}, ['/bin/a']),
      /expected the command line of orchestra/,
    );
  });
});

describe('no agent', () => {
  const all = ['claude', 'codex', 'gemini', 'opencode', 'pi'].flatMap((agent) =>
    (['plan', 'work', 'takeover'] as const).map((mode) => ({
      agent,
      mode,
      command: getCommand(agent, {mode, conversation: 'c1', isConfined: true}),
    })),
  );

  test('is ever told to skip all permissions', () => {
    for (const {agent, command} of all)
      assert.doesNotMatch(
        command.argv.slice(1).join(' ').replace(rules, ''),
        /dangerous|bypass|yolo|full-access|--auto\b|-y\b/i,
        agent,
      );
  });

  test('updates itself or tells statistics', () => {
    const settings = (agent: string): string =>
      all
        .filter((one) => one.agent === agent)
        .map(({command}) => JSON.stringify([command.env, command.files ?? [], command.argv]))
        .join('\n');
    for (const [agent, text] of [
      ['claude', ['"DISABLE_AUTOUPDATER":"1"', '"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC":"1"']],
      ['codex', ['check_for_update_on_startup=false', 'analytics.enabled=false']],
      [
        'gemini',
        [
          '"GEMINI_TELEMETRY_ENABLED":"false"',
          'usageStatisticsEnabled\\":false',
          'enableAutoUpdate\\":false',
        ],
      ],
      [
        'opencode',
        ['"OPENCODE_DISABLE_AUTOUPDATE":"1"', 'autoupdate\\":false', 'share\\":\\"disabled'],
      ],
      ['pi', ['"PI_OFFLINE":"1"', '"PI_TELEMETRY":"0"']],
    ] as const) {
      for (const word of text)
        assert.equal(
          settings(agent)
            .split('\n')
            .every((line) => line.includes(word)),
          true,
          `${agent} ${word}`,
        );
    }
  });

  test('of opencode may edit or use a shell while it plans', () => {
    const denied = {edit: 'deny', bash: 'deny'};
    assert.deepEqual(
      JSON.parse(getCommand('opencode', {mode: 'plan'}).env['OPENCODE_CONFIG_CONTENT'] ?? ''),
      {
        autoupdate: false,
        share: 'disabled',
        permission: denied,
        agent: {plan: {permission: denied}},
      },
    );
    assert.deepEqual(JSON.parse(getCommand('opencode', {}).env['OPENCODE_CONFIG_CONTENT'] ?? ''), {
      autoupdate: false,
      share: 'disabled',
    });
  });
});

describe('the tools that an agent is given for its session alone:', () => {
  const tools = {
    argv: ['/node', '/o.js', 'mcp', '--tools', '/x/tools.json'],
    env: {},
    servers: ['docs'],
    waitMs: 60_000,
  };
  const own = ['/o.js', 'mcp', '--tools', '/x/tools.json'];
  const docs = [...own, '--server', 'docs'];
  const jsonAfter = (start: string, argv: readonly string[]): unknown =>
    JSON.parse(argv.find((argument) => argument.startsWith(start))?.slice(start.length) ?? '');

  test('claude has them as an argument, and no others while it plans or works', () => {
    const plan = getCommand('claude', {mode: 'plan', tools});
    assert.deepEqual(jsonAfter('--mcp-config=', plan.argv), {
      mcpServers: {
        orchestra: {
          type: 'stdio',
          command: '/node',
          args: own,
          env: {},
          timeout: 120_000,
          alwaysLoad: true,
        },
        docs: {type: 'stdio', command: '/node', args: docs, env: {}, timeout: 120_000},
      },
    });
    assert.deepEqual(
      [plan.env['MCP_TIMEOUT'], plan.env['MCP_CONNECTION_NONBLOCKING']],
      ['60000', 'false'],
    );
    const others = (command: AgentCommand): readonly string[] =>
      command.argv.filter((argument) =>
        /^--(?:allowed|disallowed|strict|permission)/.test(argument),
      );
    assert.deepEqual(others(plan), [
      '--permission-mode',
      '--disallowedTools=Bash,Edit,Write,NotebookEdit',
      '--allowedTools=mcp__orchestra,mcp__docs',
      '--strict-mcp-config',
    ]);
    assert.deepEqual(others(getCommand('claude', {tools})), [
      '--permission-mode',
      '--allowedTools=mcp__orchestra,mcp__docs',
      '--strict-mcp-config',
    ]);
    assert.deepEqual(others(getCommand('claude', {tools, isConfined: true})), [
      '--permission-mode',
      '--allowedTools=Bash,mcp__orchestra,mcp__docs',
      '--strict-mcp-config',
    ]);
    assert.deepEqual(others(getCommand('claude', {mode: 'takeover', tools})), [
      '--allowedTools=mcp__orchestra,mcp__docs',
    ]);
  });

  test('codex has them as settings of this start', () => {
    for (const mode of ['plan', 'work', 'takeover'] as const) {
      const {argv} = getCommand('codex', {mode, tools: {...tools, env: {A: '"b"'}}});
      assert.deepEqual(
        argv.filter((argument) => argument.startsWith('mcp_servers.')),
        ['orchestra', 'docs'].flatMap((name) => [
          `mcp_servers.${name}.command="/node"`,
          `mcp_servers.${name}.args=${JSON.stringify(name === 'docs' ? docs : own)}`,
          `mcp_servers.${name}.env={A="\\"b\\""}`,
          `mcp_servers.${name}.startup_timeout_sec=60`,
          `mcp_servers.${name}.tool_timeout_sec=120`,
          `mcp_servers.${name}.default_tools_approval_mode="approve"`,
          ...(name === 'docs' ? [] : ['mcp_servers.orchestra.required=true']),
        ]),
      );
    }
  });

  test('gemini has them in its settings beside the outcome', () => {
    const {argv, files} = getCommand('gemini', {mode: 'plan', tools});
    assert.deepEqual((JSON.parse(files?.[0]?.text ?? '') as {mcpServers: unknown}).mcpServers, {
      orchestra: {command: '/node', args: own, env: {}, timeout: 120_000, trust: true},
      docs: {command: '/node', args: docs, env: {}, timeout: 120_000, trust: true},
    });
    assert.deepEqual(argv, [
      'gemini',
      '-o',
      'stream-json',
      '--approval-mode',
      'plan',
      '--allowed-tools',
      'mcp_orchestra_*',
      '--allowed-mcp-server-names=orchestra',
      '--allowed-mcp-server-names=docs',
    ]);
    assert.deepEqual(getCommand('gemini', {tools, isConfined: true}).argv, [
      'gemini',
      '-o',
      'stream-json',
      '--approval-mode',
      'auto_edit',
      '--allowed-tools',
      'run_shell_command',
      '--allowed-mcp-server-names=orchestra',
      '--allowed-mcp-server-names=docs',
    ]);
    assert.deepEqual(getCommand('gemini', {mode: 'takeover', tools}).argv, ['gemini']);
  });

  test("gemini in the sandbox has them under the person's own settings, in a copy that stands in their place", () => {
    const own = {
      path: '/home/me/.gemini/settings.json',
      text: '{"security":{"auth":{"selectedType":"gemini-api-key"}},"general":{"enableAutoUpdate":true},"mcpServers":{"mine":{"command":"mine"},"docs":{"command":"other"}}}',
    };
    const {env, files, inPlace} = getCommand('gemini', {tools, isConfined: true, ownSettings: own});
    assert.deepEqual(inPlace, [{path: own.path, from: files?.[0]?.path}]);
    assert.equal(env['GEMINI_CLI_SYSTEM_DEFAULTS_PATH'], undefined);
    const settings = JSON.parse(files?.[0]?.text ?? '') as {
      security: unknown;
      general: unknown;
      privacy: unknown;
      mcpServers: Record<string, {command: string}>;
    };
    assert.deepEqual(settings.security, {auth: {selectedType: 'gemini-api-key'}});
    assert.deepEqual(settings.general, {
      enableAutoUpdate: true,
      enableAutoUpdateNotification: false,
    });
    assert.deepEqual(settings.privacy, {usageStatisticsEnabled: false});
    assert.deepEqual(
      Object.entries(settings.mcpServers).map(([name, {command}]) => [name, command]),
      [
        ['mine', 'mine'],
        ['docs', '/node'],
        ['orchestra', '/node'],
      ],
    );
    for (const text of ['// theirs\n{}', '[]', 'null', '{'])
      assert.equal(
        getCommand('gemini', {tools, isConfined: true, ownSettings: {...own, text}}).inPlace,
        undefined,
        text,
      );
    assert.deepEqual(
      getCommand('gemini', {tools, isConfined: true, ownSettings: {path: own.path}}).inPlace
        ?.length,
      1,
      'also where there is none yet',
    );
    assert.equal(
      getCommand('gemini', {tools, ownSettings: own}).inPlace,
      undefined,
      'not without a sandbox',
    );
  });

  test('opencode has them in its environment', () => {
    const settings = JSON.parse(
      getCommand('opencode', {tools}).env['OPENCODE_CONFIG_CONTENT'] ?? '',
    ) as {mcp: unknown};
    assert.deepEqual(settings.mcp, {
      orchestra: {
        type: 'local',
        command: ['/node', ...own],
        environment: {},
        enabled: true,
        timeout: 120_000,
      },
      docs: {
        type: 'local',
        command: ['/node', ...docs],
        environment: {},
        enabled: true,
        timeout: 120_000,
      },
    });
  });

  test('pi has them by an extension beside the outcome, and a planner still only reads', () => {
    const {argv, files} = getCommand('pi', {mode: 'plan', tools});
    assert.deepEqual(argv.slice(3, 9), [
      'json',
      '--tools',
      'read,grep,find,ls,orchestra_submit_plan,orchestra_environment,orchestra_service_status,orchestra_service_logs,orchestra_port,orchestra_recall,orchestra_ask_person,orchestra_task_status',
      '--no-extensions',
      '--extension',
      '/x/pi-tools.ts',
    ]);
    assert.equal(files?.[0]?.path, '/x/pi-tools.ts');
    assert.ok(
      files[0].text.includes(
        JSON.stringify([
          {name: 'orchestra', command: '/node', args: own, env: {}},
          {name: 'docs', command: '/node', args: docs, env: {}},
        ]),
      ),
    );
    assert.deepEqual(getCommand('pi', {mode: 'takeover', tools}).argv, [
      'pi',
      '--extension',
      '/x/pi-tools.ts',
    ]);
    assert.equal(getCommand('pi', {}).files, undefined);
  });

  test('an agent that the project declares has them as a file in the usual form, where it asks for one', () => {
    const found = findDriver('mine', [
      {name: 'mine', plan: ['mine'], work: ['mine', '--mcp-config', '{tools}'], prompt: 'stdin'},
    ]);
    assert('driver' in found);
    const command = found.driver.commandOf({...job, tools});
    assert('argv' in command);
    assert.deepEqual(command.argv, ['mine', '--mcp-config', '/x/mcp.json']);
    assert.deepEqual(
      command.files?.map(({path, text}): [string, unknown] => [path, JSON.parse(text)]),
      [
        [
          '/x/mcp.json',
          {
            mcpServers: {
              orchestra: {command: '/node', args: own, env: {}},
              docs: {command: '/node', args: docs, env: {}},
            },
          },
        ],
      ],
    );
    assert.deepEqual(found.driver.commandOf(job), {
      refused:
        'mine: its arguments have {tools}, but it has no value. Remove {tools} from the arguments.',
    });
  });
});

test('the settings of gemini stand beside the outcome', () => {
  const {files, env} = getCommand('gemini', {});
  assert.deepEqual(
    [files?.[0]?.path, env['GEMINI_CLI_SYSTEM_DEFAULTS_PATH']],
    ['/x/gemini-defaults.json', '/x/gemini-defaults.json'],
  );
});

test('a planner in its own interface reads only, and is not asked whether it may edit now', () => {
  const commandOf = (agent: string) => getCommand(agent, {mode: 'plan', isInteractive: true});
  const claude = commandOf('claude').argv;
  assert.ok(claude.includes('--disallowedTools=Bash,Edit,Write,NotebookEdit,ExitPlanMode'));
  assert.equal(claude[claude.indexOf('--permission-mode') + 1], 'plan');
  const gemini = commandOf('gemini');
  assert.equal(gemini.argv[gemini.argv.indexOf('--approval-mode') + 1], 'plan');
  const settings = JSON.parse(gemini.files?.[0]?.text ?? '') as {
    readonly tools: {readonly exclude: readonly string[]};
  };
  assert.deepEqual(settings.tools.exclude, ['exit_plan_mode']);
  const opencode = commandOf('opencode');
  assert.ok(opencode.argv.includes('plan'));
  const {permission} = JSON.parse(opencode.env['OPENCODE_CONFIG_CONTENT'] ?? '') as {
    readonly permission: object;
  };
  assert.deepEqual(permission, {edit: 'deny', bash: 'deny'});
  const pi = commandOf('pi').argv;
  assert.match(pi[pi.indexOf('--tools') + 1] ?? '', /^read,grep,find,ls/);
  for (const agent of ['claude', 'gemini', 'opencode', 'pi'])
    assert.ok(!commandOf(agent).argv.some((one) => /acceptEdits|auto_edit|^-p$/.test(one)), agent);
});

test('rules and rest are the prompt, wherever it is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('# Rules\n', '\n\n# ', '\n', 'x', '# Task', '\0', '1.1 a'), {
        maxLength: 12,
      }),
      (pieces) => {
        const prompt = pieces.join('');
        const split = splitRules(prompt);
        assert.equal(
          split.from === 0 ? prompt : `${split.rules}\n\n${prompt.slice(split.from)}`,
          prompt,
        );
        assert.equal(split.from === 0, split.rules === '');
      },
    ),
  );
  assert.deepEqual(splitRules(job.prompt), {rules, from: rules.length + 2});
  for (const whole of [
    '',
    'Hello',
    '# Task',
    '# Rules\n\nonly',
    `# Rules\n${'x'.repeat(40_000)}\n\n# Task`,
    '# Rules\n\0\n\n# Task',
  ])
    assert.deepEqual(splitRules(whole), {rules: '', from: 0});
});

test('rules that would break a setting of codex are quoted', () => {
  const {argv} = getCommand('codex', {prompt: '# Rules\n1 "a" \\ \'b\' \u007F \u0001 ]\n\n# Task'});
  assert.ok(
    argv.includes('developer_instructions="# Rules\\n1 \\"a\\" \\\\ \'b\' \\u007F \\u0001 ]"'),
    argv.join('\n'),
  );
});

test('what each may write of the home, and what in there it may not', () => {
  const of = (name: string, env: Record<string, string> = {}): readonly unknown[] => {
    const driver = drivers.find((one) => one.name === name);
    return [driver?.stateDirectories?.('/h', env), driver?.settings?.('/h', env).files[0]];
  };

  assert.deepEqual(of('claude'), [['/h/.claude'], '/h/.claude/settings.json']);
  assert.deepEqual(of('claude', {CLAUDE_CONFIG_DIR: '/c'}), [['/c'], '/c/settings.json']);
  assert.deepEqual(of('codex', {CODEX_HOME: '/c'}), [['/c'], '/c/config.toml']);
  assert.deepEqual(of('gemini'), [['/h/.gemini'], '/h/.gemini/GEMINI.md']);
  // An empty settings.json keeps gemini from starting at all.
  assert.deepEqual(drivers.find(({name}) => name === 'gemini')?.settings?.('/h', {}).filesIfThere, [
    '/h/.gemini/settings.json',
    '/h/.gemini/trustedFolders.json',
  ]);
  assert.deepEqual(of('opencode', {XDG_DATA_HOME: '/d'}), [
    ['/h/.config/opencode', '/d/opencode', '/h/.local/state/opencode', '/h/.cache/opencode'],
    '/h/.config/opencode/opencode.json',
  ]);
  assert.deepEqual(of('pi'), [['/h/.pi/agent'], '/h/.pi/agent/settings.json']);
});

describe('a folder is trusted ahead', () => {
  for (const [name, job, trusted] of [
    ['headless', {}, 'true'],
    ['taken over in our sandbox', {mode: 'takeover', isConfined: true}, 'true'],
    ['taken over outside of it, where the person is asked', {mode: 'takeover'}, undefined],
  ] as const) {
    test(`gemini, ${name}`, () => {
      assert.equal(getCommand('gemini', job).env['GEMINI_CLI_TRUST_WORKSPACE'], trusted);
    });
  }

  test("claude keeps its answers in the state that is the task's own", () => {
    const found = findDriver('claude', []);
    assert('driver' in found);
    assert.deepEqual(
      [
        found.driver.ownStateEnv?.('/home/p', {}),
        found.driver.ownStateEnv?.('/home/p', {CLAUDE_CONFIG_DIR: '/c'}),
      ],
      [{CLAUDE_CONFIG_DIR: '/home/p/.claude'}, {CLAUDE_CONFIG_DIR: '/c'}],
    );
  });
});
