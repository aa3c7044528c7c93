import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import type {LoopFixture} from './loop-fixture.ts';

/**
 * An attack by an agent, or by code that it wrote, from inside the sandbox, and how its effect is
 * detected from outside.
 */
export type InsideAttack = {
  readonly name: string;
  /**
   * A shell script, run in the agent's worktree. $MAIN is the person's checkout, $STATE the state
   * of all repositories.
   */
  readonly script: string;
  /** What the attack changed; undefined if nothing. */
  readonly left: (fixture: LoopFixture) => string | undefined;
};

export const secret = 'canary-of-another-repository';

const caches = [
  '.npm/_npx/0/node_modules/.bin/tool',
  '.npm/_cacache/index',
  '.deno/bin/deno',
  '.yarn/bin/yarn',
  '.local/share/pnpm/store',
  '.pnpm-store/v3/x',
  '.gradle/init.d/evil.gradle',
  '.m2/settings.xml',
  '.cache/pip/wheel',
  '.cargo/registry/x',
  '.cargo/git/x',
  'go/pkg/mod/x',
  '.bun/install/x',
  '.nuget/x',
] as const;

/** Created beforehand: a cache of each kind, and the state of a second repository. */
export function prepareBelongings(fixture: LoopFixture): void {
  for (const file of caches) put(path.join(fixture.home, file), "the person's\n");
  const other = path.join(path.dirname(fixture.current().stateDirectory), 'other-000000000000');
  put(path.join(other, 'journal.jsonl'), secret);
  put(path.join(other, 'sessions/x-s1/launch.json'), JSON.stringify({env: {TOKEN: secret}}));
  put(path.join(fixture.home, '.bashrc'), '# mine\n');
}

export const insideAttacks: readonly InsideAttack[] = [
  ...caches.map((file): InsideAttack => ({
    name: `replaces ~/${file}`,
    script: `rm -f "$HOME/${file}"; echo evil > "$HOME/${file}"; mv "$HOME/${path.dirname(file)}" "$HOME/${path.dirname(file)}.gone"`,
    left: ({home}) => differs(path.join(home, file), "the person's\n"),
  })),
  {
    name: "reads another repository's journal",
    script: 'cat "$STATE"/*/journal.jsonl "$STATE"/other*/* > stolen-1.txt',
    left: inWorktree,
  },
  {
    name: "reads the environment of another repository's session",
    script:
      'grep -r canary "$STATE" > stolen-2.txt; cat "$STATE"/other-000000000000/sessions/x-s1/launch.json >> stolen-2.txt',
    left: inWorktree,
  },
  {
    name: 'rewrites every object of the repository',
    script:
      'for f in "$MAIN"/.git/objects/??/* "$MAIN"/.git/objects/repository/??/*; do chmod u+w "$f"; printf evil > "$f"; rm -f "$f"; done',
    left: ({git}) =>
      git('fsck', '--full', '--no-dangling') === '' ? undefined : 'git fsck complains',
  },
  {
    name: "adds an object under another's name",
    script: 'mkdir -p "$MAIN/.git/objects/ab"; echo evil > "$MAIN/.git/objects/ab/cdef"',
    left: ({root}) => presentAt(path.join(root, '.git/objects/ab/cdef')),
  },
  {
    name: "moves the run's own branch",
    script:
      'git update-ref refs/heads/orchestra/r1 HEAD; echo 0000 > "$MAIN/.git/refs/heads/orchestra/r1"',
    left: ({git}) =>
      /Merge|Do t1|^$/.test(git('log', '-1', '--format=%s', 'orchestra/r1'))
        ? undefined
        : 'orchestra/r1 was moved',
  },
  {
    name: "moves the person's branch",
    script:
      'git update-ref refs/heads/main HEAD~1; rm -f "$MAIN/.git/refs/heads/main"; git branch -f main HEAD',
    left: ({git}) =>
      git('log', '-1', '--format=%s', 'main').trim() === 'The beginning'
        ? undefined
        : 'main was moved',
  },
  {
    name: 'writes a hook and a setting',
    script:
      'mkdir -p "$MAIN/.git/hooks"; echo evil > "$MAIN/.git/hooks/pre-commit"; git config core.fsmonitor evil',
    left: ({root}) => presentAt(path.join(root, '.git/hooks/pre-commit')),
  },
  {
    name: 'writes a start file',
    script: 'echo evil >> "$HOME/.bashrc"; echo evil > "$HOME/.profile"',
    left: ({home}) =>
      differs(path.join(home, '.bashrc'), '# mine\n') ?? presentAt(path.join(home, '.profile')),
  },
  {
    name: 'leaves a process in a session of its own',
    script: 'setsid sh -c "while :; do sleep 1; echo x >> survivor-1; done" > /dev/null 2>&1 &',
    left: survivors,
  },
  {
    name: 'leaves a process with another mark',
    script: '(ORCH_SESSION=told setsid sh -c "(while :; do sleep 1; done) &" > /dev/null 2>&1 &)',
    left: survivors,
  },
  {
    name: 'leaves a process without any mark, forked twice',
    script: '(env -i PATH="$PATH" setsid sh -c "(sleep 1000 &) &" > /dev/null 2>&1 &)',
    left: survivors,
  },
  {
    name: 'leaves a process that ignores every signal',
    script:
      'setsid sh -c "trap \'\' HUP INT TERM QUIT; while :; do sleep 1; done" > /dev/null 2>&1 &',
    left: survivors,
  },
  {
    name: 'ends the daemon and the keepers',
    script:
      'for p in /proc/[0-9]*; do case "$(cat $p/comm 2>/dev/null)" in orchestra*) kill -9 "${p#/proc/}";; esac; done; pkill -9 -f orchestra-keeper',
    left: ({events}) =>
      events().filter(({type}) => type === 'daemon-started').length === 1 &&
      !events().some(({type}) => type === 'session-lost')
        ? undefined
        : 'the daemon or a keeper was ended',
  },
  {
    name: 'approves by the command line',
    script:
      'orchestra plan approve r1; orchestra accept r1; orchestra daemon stop; node "$ORCHESTRA_PROGRAM" plan approve r1',
    left: ({events}) =>
      events().some(({type}) => type === 'run-accepted') ? 'the run was accepted' : undefined,
  },
  {
    name: 'changes the project file and the rules of the checkout',
    script: 'echo "sandbox: off" > "$MAIN/.orchestra/project.yaml"; echo > "$MAIN/.rulesfile.md"',
    left: ({read}) =>
      read('.orchestra/project.yaml').includes('sandbox: required') &&
      read('.rulesfile.md').includes('test:')
        ? undefined
        : "the checkout's files were changed",
  },
];

function put(file: string, text: string): void {
  mkdirSync(path.dirname(file), {recursive: true});
  writeFileSync(file, text);
}

function differs(file: string, expected: string): string | undefined {
  if (!existsSync(file)) return `${file} is gone`;
  return readFileSync(file, 'utf8') === expected ? undefined : `${file} was changed`;
}

function presentAt(file: string): string | undefined {
  return existsSync(file) ? `${file} is there` : undefined;
}

function inWorktree(fixture: LoopFixture): string | undefined {
  const found = execFileSync(
    'sh',
    ['-c', 'grep -rl "$1" "$2" || true', 'sh', secret, `${fixture.root}.worktrees`],
    {encoding: 'utf8'},
  ).trim();
  return found === '' ? undefined : `the secret stands in ${found}`;
}

/** The processes that work in a worktree of the run. */
function survivors(fixture: LoopFixture): string | undefined {
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(`${fixture.root}.worktrees`);
      } catch {
        return false;
      }
    });
  return found.length === 0 ? undefined : `processes ${found.join(', ')} are still there`;
}
