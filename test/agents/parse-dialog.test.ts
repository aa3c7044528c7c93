import assert from 'node:assert/strict';
import path from 'node:path';
import {readFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import {
  type AgentDialog,
  findDriver,
  parseDialog,
  type ScreenPatterns,
} from '../../source/agents/index.ts';

const screens = path.join(import.meta.dirname, 'screens');

function renderScreen(name: string): string[] {
  return readFileSync(path.join(screens, `${name}.txt`), 'utf8').split('\n');
}

function getPatterns(agent: string): ScreenPatterns {
  const found = findDriver(agent, []);
  assert('driver' in found);
  return found.driver.screen;
}

const claudeTrust = [
  'Quick safety check: Is this a project you created or one you trust? (Like your',
  'own code, a well-known open source project, or work from your team). If not,',
  "take a moment to review what's in this folder first.",
  "Claude Code'll be able to read, edit, and execute files here.",
  'Security guide',
].join(' · ');

/**
 * Screens of the real CLIs, as `npm run test:agents` draws them: agent, what it asks for, columns.
 */
const asking: Readonly<Record<string, AgentDialog>> = {
  'claude-shell-120': {
    question: 'Do you want to proceed? · curl -s http://127.0.0.1:1/x > c.txt',
    options: [
      'Yes',
      'Yes, and always allow access to /home/person/worktree from this project',
      'No',
    ],
  },
  'claude-shell-80': {
    question: 'Do you want to proceed? · curl -s http://127.0.0.1:1/x > c.txt',
    options: [
      'Yes',
      'Yes, and always allow access to /home/person/worktree from this project',
      'No',
    ],
  },
  'claude-write-80': {
    question: 'Do you want to create b.txt? · 1 hello · 2 there',
    options: [
      'Yes',
      'Yes, and switch to accept edits (auto-approve file edits and common file commands) for this session (shift+tab)',
      'No',
    ],
  },
  'codex-shell-120': {
    question:
      'Would you like to run the following command? · Environment: local · Reason: Do you want to fetch it? · $ curl http://127.0.0.1:1/x',
    options: [
      'Yes, proceed (y)',
      "Yes, and don't ask again for commands that start with `curl http://127.0.0.1:1/x` (p)",
      'No, and tell Codex what to do differently (esc)',
    ],
  },
  'codex-shell-80': {
    question:
      'Would you like to run the following command? · Environment: local · Reason: Do you want to fetch it? · $ curl http://127.0.0.1:1/x',
    options: [
      'Yes, proceed (y)',
      "Yes, and don't ask again for commands that start with `curl http://127.0.0.1:1/x` (p)",
      'No, and tell Codex what to do differently (esc)',
    ],
  },
  'gemini-shell-120': {
    question:
      'Allow execution of [Shell]? · curl -s http://127.0.0.1:1/x > c.txt · Redirection detected. To auto-accept, press Shift+Tab',
    options: ['Allow once', 'Allow for this session', 'No, suggest changes (esc)'],
  },
  'gemini-shell-80': {
    question:
      'Allow execution of [Shell]? · curl -s http://127.0.0.1:1/x > c.txt · Redirection detected. To auto-accept, press Shift+Tab',
    options: ['Allow once', 'Allow for this session', 'No, suggest changes (esc)'],
  },
  'gemini-write-120': {
    question: 'Apply this change? · 1 hello · 2 there',
    options: [
      'Allow once',
      'Allow for this session',
      'Modify with external editor',
      'No, suggest changes (esc)',
    ],
  },
  'claude-trust-120': {
    question:
      "Quick safety check: Is this a project you created or one you trust? (Like your own code, a well-known open source · project, or work from your team). If not, take a moment to review what's in this folder first. · Claude Code'll be able to read, edit, and execute files here. · Security guide",
    options: ['No, exit', 'Yes, I trust this folder'],
    marked: 0,
  },
  'claude-trust-80': {
    question: claudeTrust,
    options: ['No, exit', 'Yes, I trust this folder'],
    marked: 0,
  },
  'claude-key-80': {
    question: 'Do you want to use this API key?',
    options: ['Yes', 'No (recommended)'],
    marked: 1,
  },
  'claude-server-80': {
    question:
      'New MCP server found in this project: evil · MCP servers may execute code or access system resources. All tool calls · require approval. Learn more in the MCP documentation.',
    options: [
      'Use this MCP server',
      'Use this and all future MCP servers in this project',
      'Continue without using this MCP server',
    ],
    marked: 2,
  },
  'codex-trust-80': {
    question:
      'Trust this folder? Codex can read, edit, and run files here, subject to your · permission settings. Folder settings can run code automatically, even · without a model request. Continue only if you trust these files. Your trust · decision will be saved.',
    options: ['Trust and continue', 'Quit'],
  },
  'codex-login-80': {
    question: 'Choose how you want to use Codex.',
    options: [
      'Sign in with ChatGPT Usage included with Plus, Pro, Business, and Enterprise plans',
      'Sign in with Device Code Sign in from another device with a one-time code',
      'Use an OpenAI API key Pay for what you use',
      'Use Amazon Bedrock Connect using your AWS credentials',
    ],
  },
  'gemini-trust-80': {
    question:
      'Do you trust the files in this folder? · Trusting a folder allows Gemini CLI to load its local configurations, · including custom commands, hooks, MCP servers, agent skills, and settings. · These configurations could execute code on your behalf or change the · behavior of the CLI.',
    options: ['Trust folder (worktree)', 'Trust parent folder (home)', "Don't trust"],
  },
  'opencode-shell-120': {
    question: '△ Permission required · # Shell command · $ curl -s http://127.0.0.1:1/x > c.txt',
    options: ['Allow once', 'Allow always', 'Reject'],
    row: 37,
  },
  'opencode-write-80': {
    question: '△ Permission required · → Edit b.txt · 1 + hello · 2 + there',
    options: ['Allow once', 'Allow always', 'Reject'],
    row: 21,
  },
};

describe('dialogs of real agents', () => {
  for (const [name, dialog] of Object.entries(asking)) {
    test(`${name} is read with its question and its options`, () => {
      assert.deepEqual(
        parseDialog(renderScreen(name), getPatterns(name.split('-')[0] ?? '')),
        dialog,
      );
    });
  }

  test('an agent that is done asks nothing', () => {
    assert.equal(parseDialog(renderScreen('codex-done-120'), getPatterns('codex')), undefined);
  });

  for (const agent of ['claude', 'codex', 'gemini', 'opencode']) {
    test(`what ${agent} merely prints is no dialog: where it takes prompts stands below it`, () => {
      const name = Object.keys(asking).find((one) => one.startsWith(agent)) ?? assert.fail();
      const below: Readonly<Record<string, readonly string[]>> = {
        claude: ['─'.repeat(20), '❯', '─'.repeat(20)],
        codex: ['› Ask Codex to do anything'],
        gemini: [' >   Type your message or @path/to/file'],
        opencode: ['  ┃  Build · scripted', '  120 (0%)  ctrl+p commands'],
      };
      assert.equal(
        parseDialog([...renderScreen(name), ...(below[agent] ?? [])], getPatterns(agent)),
        undefined,
      );
    });

    test(`a question of ${agent} without its options is no dialog`, () => {
      const name = Object.keys(asking).find((one) => one.startsWith(agent)) ?? assert.fail();
      assert.equal(
        parseDialog(
          renderScreen(name).map((line) => (/\d\. |⇆/.test(line) ? '' : line)),
          getPatterns(agent),
        ),
        undefined,
      );
    });
  }

  test('what has scrolled up under later output is no dialog', () => {
    assert.equal(
      parseDialog(
        [...renderScreen('claude-shell-120'), 'one', 'two', 'three', 'four', 'five'],
        getPatterns('claude'),
      ),
      undefined,
    );
  });

  test('the row that the ready sign of claude looks for is not an option of its dialog', () => {
    assert.equal(new RegExp(getPatterns('claude').ready ?? '').test(' ❯ 1. Yes'), false);
    assert.equal(new RegExp(getPatterns('claude').ready ?? '').test('❯ '), true);
  });
});

describe('dialogs of agents that a project declares', () => {
  const patterns = {question: '^May I', ready: '^> '};

  test('options are read where there are some', () => {
    assert.deepEqual(parseDialog(['May I write?', '❯ 1. Yes', '  2. No', ''], patterns), {
      question: 'May I write?',
      options: ['Yes', 'No'],
    });
  });

  test('a question that takes words has none', () => {
    assert.deepEqual(parseDialog(['hello', 'May I write? (y/n)', ''], patterns), {
      question: 'May I write? (y/n)',
      options: [],
    });
  });

  test('without a pattern for questions there is nothing to see', () => {
    assert.equal(parseDialog(['May I write?'], {}), undefined);
  });
});

describe('a menu above a line that says what Enter does', () => {
  const menu = [
    'Something new:',
    '',
    '  Which one shall it be?',
    '',
    '  ❯ This',
    '    That, which is a very long',
    '      way to say so',
    '',
    '  Enter to select · Esc to cancel',
  ];

  test('is a dialog, whatever it asks; a text that is too long for its line goes on', () => {
    assert.deepEqual(parseDialog(menu, getPatterns('claude')), {
      question: 'Something new: · Which one shall it be?',
      options: ['This', 'That, which is a very long way to say so'],
      marked: 0,
    });
    assert.deepEqual(parseDialog(menu, getPatterns('codex'))?.options.length, 2);
  });

  test('is one also with numbers, which are its keys', () => {
    // Claude 2.1.325, when it cannot read its settings.
    const numbered = [
      '  Files with errors are skipped entirely, not just the invalid settings.',
      '',
      '  ❯ 1. Fix with Claude',
      '    2. Exit and fix manually',
      '    3. Continue without these settings',
      '',
      '  Enter to confirm · Esc to cancel',
    ];
    assert.deepEqual(parseDialog(numbered, getPatterns('claude')), {
      question: 'Files with errors are skipped entirely, not just the invalid settings.',
      options: ['Fix with Claude', 'Exit and fix manually', 'Continue without these settings'],
    });
    assert.equal(
      parseDialog(numbered.with(3, '    7. Exit'), getPatterns('claude')),
      undefined,
      'numbers that do not count are no keys',
    );
  });

  const others: Readonly<Record<string, readonly string[]>> = {
    'with something below it': [...menu, '', '❯'],
    'without the line that says what Enter does': menu.slice(0, -1),
    'with one option': menu.filter((line) => !/That|way/.test(line)),
    'with two marks': menu.map((line) => line.replace('    That', '  ❯ That')),
    'without a mark': menu.map((line) => line.replace('❯', ' ')),
    'that stands further out below': menu.map((line) => line.replace('      way', 'way')),
    'that is empty': [],
    'that is only the line': ['  Enter to confirm'],
  };
  for (const [name, rows] of Object.entries(others))
    test(`one ${name} is none`, () => {
      assert.equal(parseDialog(rows, getPatterns('claude')), undefined);
    });
});
