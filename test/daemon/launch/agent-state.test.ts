import assert from 'node:assert/strict';
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {test} from 'node:test';
import {findDriver} from '../../../source/agents/index.ts';
import {answerFirstStart} from '../../../source/agents/claude.ts';
import {agentStateFor, dropAgentState} from '../../../source/daemon/launch/agent-state.ts';
import {inspectPath} from '../../../source/system/index.ts';
import {sandboxed} from '../../../source/sandbox/index.ts';
import {temporaryDirectory} from '../../system/fixtures.ts';
import {bubblewrap, needs} from '../../support/needs.ts';

/**
 * What of each agent's state is run or believed later, by the person or by another task, and the
 * place of its credentials.
 */
const agents = [
  {
    name: 'claude',
    state: '.claude',
    executed: [
      'local/claude',
      'shell-snapshots/snapshot.sh',
      'statusline.sh',
      'settings.json',
      'hooks/stop.sh',
      'plugins/x/run.sh',
      'projects/p/1.jsonl',
      'ide/lock',
    ],
    credentials: '.claude/.credentials.json',
  },
  {
    name: 'codex',
    state: '.codex',
    executed: [
      'config.toml',
      'bin/codex',
      'packages/codex',
      'hooks.json',
      'prompts/x.md',
      'sessions/1.jsonl',
    ],
    credentials: '.codex/auth.json',
  },
  {
    name: 'gemini',
    state: '.gemini',
    executed: ['settings.json', 'extensions/x/run.sh', 'commands/x.toml', 'tmp/bin/rg'],
    credentials: '.gemini/oauth_creds.json',
  },
  {
    name: 'opencode',
    state: '.config/opencode',
    executed: ['opencode.json', 'plugin/x.ts', 'node_modules/x/index.js'],
    credentials: '.local/share/opencode/auth.json',
  },
  {
    name: 'pi',
    state: '.pi/agent',
    executed: ['settings.json', 'extensions/x.ts', 'bin/rg', 'npm/x/index.js'],
    credentials: '.pi/agent/auth.json',
  },
] as const;

for (const {name, state, executed, credentials} of agents) {
  test(
    `what ${name} writes in its state directory is seen by its own task only; credentials are renewed`,
    needs('bubblewrap'),
    (t) => {
      const root = temporaryDirectory(t);
      const [home, worktree, stateDirectory] = ['home', 'w', 's'].map((part) =>
        path.join(root, part),
      ) as [string, string, string];
      for (const directory of [home, worktree, stateDirectory])
        mkdirSync(directory, {recursive: true});
      const put = (file: string): void => {
        mkdirSync(path.dirname(file), {recursive: true});
        writeFileSync(file, "the person's\n");
      };
      for (const file of executed) put(path.join(home, state, file));
      put(path.join(home, credentials));
      const found = findDriver(name, []);
      assert.ok('driver' in found);
      const {driver} = found;
      const own = {
        stateDirectories: driver.stateDirectories?.(home, {}) ?? [],
        settings: driver.settings?.(home, {}) ?? {files: [], directories: []},
      };
      const inside = (
        script: string,
        owner: 'r1.t1' | 'r1.t2' = 'r1.t1',
        argv: readonly string[] = [],
      ): string => {
        const {bound, sealed} = agentStateFor({stateDirectory}, owner, own, argv);
        const [file = '', ...rest] = sandboxed(
          {argv: ['/bin/sh', '-c', script], cwd: worktree},
          {kind: 'worktree', writable: [worktree], hidden: [stateDirectory], bound, sealed},
          {
            bwrap: bubblewrap(),
            uid: process.getuid!(),
            look: inspectPath,
            can: {processes: true, layers: false},
          },
        );
        return execFileSync(file, rest, {
          cwd: '/',
          env: {PATH: '/usr/bin:/bin', HOME: home},
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        });
      };

      const attack = executed
        .map(
          (file) =>
            `{ rm -f '${state}/${file}'; mkdir -p '${state}/${path.dirname(file)}'; echo evil > '${state}/${file}'; } 2>/dev/null`,
        )
        .join('; ');
      inside(
        `cd ~; ${attack}; mkdir -p ${state}/kept && echo mine > ${state}/kept/memory; echo renewed > ${credentials}`,
      );
      for (const file of executed)
        assert.equal(readFileSync(path.join(home, state, file), 'utf8'), "the person's\n", file);
      assert.equal(readFileSync(path.join(home, credentials), 'utf8'), 'renewed\n');
      assert.equal(
        inside(`cat ~/${state}/kept/memory`),
        'mine\n',
        'the task itself finds it again',
      );
      assert.equal(
        inside(`cat ~/${state}/kept/memory || echo none`, 'r1.t2'),
        'none\n',
        'another task does not',
      );
      assert.equal(existsSync(path.join(home, state, 'kept')), false);
      dropAgentState({stateDirectory}, 'r1.t1');
      assert.equal(inside(`cat ~/${state}/kept/memory || echo none`), 'none\n');
    },
  );
}

test(
  'settings that are links to somewhere else are read there, and a program that is installed in the directory runs',
  needs('bubblewrap'),
  (t) => {
    const root = temporaryDirectory(t);
    const [home, worktree, stateDirectory, dotfiles] = ['home', 'w', 's', 'dotfiles'].map((part) =>
      path.join(root, part),
    ) as [string, string, string, string];
    for (const directory of [path.join(home, '.claude/local'), worktree, stateDirectory, dotfiles])
      mkdirSync(directory, {recursive: true});
    writeFileSync(path.join(dotfiles, 'settings.json'), '{"mine": true}');
    symlinkSync(path.join(dotfiles, 'settings.json'), path.join(home, '.claude/settings.json'));
    const program = path.join(home, '.claude/odd/claude');
    mkdirSync(path.dirname(program));
    writeFileSync(program, '#!/bin/sh\ncat ~/.claude/settings.json\n', {mode: 0o755});
    const found = findDriver('claude', []);
    assert.ok('driver' in found);
    const own = {
      stateDirectories: found.driver.stateDirectories?.(home, {}) ?? [],
      settings: found.driver.settings?.(home, {}) ?? {files: [], directories: []},
    };
    const {bound, sealed} = agentStateFor({stateDirectory}, 'r1.t1', own, [
      'node',
      'runner',
      '--',
      program,
    ]);
    const [file = '', ...rest] = sandboxed(
      {argv: [program], cwd: worktree},
      {kind: 'worktree', writable: [worktree], hidden: [stateDirectory], bound, sealed},
      {
        bwrap: bubblewrap(),
        uid: process.getuid!(),
        look: inspectPath,
        can: {processes: true, layers: false},
      },
    );
    assert.equal(
      execFileSync(file, rest, {
        cwd: '/',
        env: {PATH: '/usr/bin:/bin', HOME: home},
        encoding: 'utf8',
      }),
      '{"mine": true}',
    );
  },
);

test("what claude asks at its first start is answered in the state of the task, for its worktree alone, and nothing of the person's is written", (t) => {
  const root = temporaryDirectory(t);
  const [home, worktree, stateDirectory] = ['home', 'w', 's'].map((part) =>
    path.join(root, part),
  ) as [string, string, string];
  for (const directory of [home, worktree, stateDirectory]) mkdirSync(directory, {recursive: true});
  const theirs = JSON.stringify({
    theme: 'light',
    mcpServers: {mine: {command: 'x'}},
    projects: {'/elsewhere': {hasTrustDialogAccepted: true, history: ['secret words']}},
    customApiKeyResponses: {approved: [], rejected: []},
  });
  writeFileSync(path.join(home, '.claude.json'), theirs);
  const found = findDriver('claude', []);
  assert.ok('driver' in found);
  const env = {ANTHROPIC_API_KEY: 'sk-ant-0123456789-0123456789'};
  const own = {
    stateDirectories: found.driver.stateDirectories?.(home, env) ?? [],
    settings: found.driver.settings?.(home, env) ?? {files: [], directories: []},
  };
  const retained = path.join(stateDirectory, 'agent-state', 'r1-t1', '0-claude', '.claude.json');
  const read = (): Record<string, unknown> =>
    JSON.parse(readFileSync(retained, 'utf8')) as Record<string, unknown>;

  agentStateFor({stateDirectory}, 'r1.t1', own, [], worktree);
  const real = realpathSync(worktree);
  assert.deepEqual(read(), {
    theme: 'light',
    mcpServers: {mine: {command: 'x'}},
    hasCompletedOnboarding: true,
    projects: {
      [worktree]: {hasTrustDialogAccepted: true},
      ...(real === worktree ? {} : {[real]: {hasTrustDialogAccepted: true}}),
    },
    customApiKeyResponses: {approved: [env.ANTHROPIC_API_KEY.slice(-20)], rejected: []},
  });
  assert.equal(readFileSync(path.join(home, '.claude.json'), 'utf8'), theirs);
  assert.equal(existsSync(path.join(home, '.claude', '.claude.json')), false);

  // What it wrote itself stays; its worktree is trusted, and servers that a repository brings are
  // still asked about.
  writeFileSync(
    retained,
    JSON.stringify({
      ...read(),
      numStartups: 3,
      projects: {'/other': {hasTrustDialogAccepted: true}},
    }),
  );
  agentStateFor({stateDirectory}, 'r1.t1', own, [], worktree);
  assert.equal(read()['numStartups'], 3);
  assert.deepEqual(Object.keys(read()['projects'] as object), [...new Set([worktree, real])]);
  assert.doesNotMatch(
    readFileSync(retained, 'utf8'),
    /enabledMcpjsonServers|enableAllProjectMcpServers/,
  );

  // A link that it left in its place is not followed.
  rmSync(retained);
  symlinkSync(path.join(home, '.claude.json'), retained);
  agentStateFor({stateDirectory}, 'r1.t1', own, [], worktree);
  assert.equal(readFileSync(path.join(home, '.claude.json'), 'utf8'), theirs);
  assert.equal(lstatSync(retained).isSymbolicLink(), false);
});

for (const [name, text] of [
  ['none', undefined],
  ['no JSON', '{'],
  ['a list', '[]'],
  [
    'hostile fields',
    '{"projects":[],"theme":3,"customApiKeyResponses":"x","__proto__":{"polluted":1}}',
  ],
] as const) {
  test(`a state of claude that is ${name} begins with the answers`, () => {
    const state = JSON.parse(answerFirstStart(text, ['/w'], 'k'.repeat(30))) as Record<
      string,
      unknown
    >;
    assert.deepEqual(
      [
        state['hasCompletedOnboarding'],
        state['theme'],
        state['projects'],
        state['customApiKeyResponses'],
      ],
      [
        true,
        'dark',
        {'/w': {hasTrustDialogAccepted: true}},
        {approved: ['k'.repeat(20)], rejected: []},
      ],
    );
    assert.equal(({} as {polluted?: number}).polluted, undefined);
  });
}

test('a key that the person rejected is not approved', () => {
  const state = JSON.parse(
    answerFirstStart(
      JSON.stringify({customApiKeyResponses: {approved: [], rejected: ['k'.repeat(20)]}}),
      ['/w'],
      'k'.repeat(30),
    ),
  ) as Record<string, unknown>;
  assert.deepEqual(state['customApiKeyResponses'], {approved: [], rejected: ['k'.repeat(20)]});
});
