import os from 'node:os';
import path from 'node:path';
import type {Blocked} from '../../../source/system/index.ts';

/** A real program and its expected verdict. */
export type InteractiveProgram = {
  readonly title: string;
  readonly argv: readonly string[];
  /** Programs that must be installed; the first is named in the reason for skipping. */
  readonly needs: readonly string[];
  readonly expected: readonly Blocked['verdict'][];
  /** Allowed proofs. `proven` is wrong for every program that does not list it. */
  readonly proof: readonly Blocked['proof'][];
  readonly secret?: boolean;
  /** Typed at the start. */
  readonly types?: string;
  /** Typed after the verdict. The program must exit then, which proves that it waited for it. */
  readonly answer?: string;
  /** It is stopped by a signal at the start. */
  readonly isStopped?: boolean;
  /** Its output is not read. */
  readonly isHeldUp?: boolean;
  /** It prints continuously. */
  readonly isLoud?: boolean;
};

const programs = path.join(import.meta.dirname, '..', 'programs');
const program = (name: string): string => path.join(programs, name);
const repository = 'git init -q . && git -c user.name=a -c user.email=a@b';
const bash = (script: string): readonly string[] => ['bash', '-c', script];

const proven = {expected: ['blocked'], proof: ['proven']} as const;
const inferred = {expected: ['blocked'], proof: ['inferred']} as const;
/** Read or pselect: that differs from version to version, and either is right. */
const waiting = {expected: ['blocked'], proof: ['proven', 'inferred']} as const;
const working = {expected: ['working'], proof: ['none']} as const;
const idle = {expected: ['idle'], proof: ['none']} as const;

/**
 * These ask nobody who is root already. They run as root themselves: only root may look into them,
 * another has the terminal's modes alone.
 */
const ordinary =
  os.userInfo().uid === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];

export const interactivePrograms: readonly InteractiveProgram[] = [
  {
    title: 'bash: read',
    argv: bash('read -p "Name: " x'),
    needs: ['bash'],
    ...proven,
    answer: 'x\r',
  },
  {
    title: 'bash: read in a subshell',
    argv: bash('(read x); exit'),
    needs: ['bash'],
    ...proven,
    answer: 'x\r',
  },
  {
    title: 'bash: read -s',
    argv: bash('read -s -p "Password: " x'),
    needs: ['bash'],
    ...proven,
    secret: true,
    answer: 'x\r',
  },
  {
    title: 'bash: read from /dev/tty behind a pipe',
    argv: bash('echo a | (read a; read b </dev/tty)'),
    needs: ['bash'],
    ...proven,
    answer: 'x\r',
  },
  {
    title: 'bash: read from a pipe that nobody fills',
    argv: bash('sleep 1000 | (printf "Value? "; read x)'),
    needs: ['bash'],
    ...working,
  },
  {
    title: 'bash: interactive prompt',
    argv: ['bash', '--norc', '-i'],
    needs: ['bash'],
    ...waiting,
    answer: 'exit\r',
  },
  {
    title: 'bash: interactive, with a child under nohup',
    argv: ['bash', '--norc', '-i'],
    needs: ['bash'],
    types: 'nohup sleep 1000 >/dev/null 2>&1 &\r',
    ...waiting,
    answer: 'kill %1; exit\r',
  },
  {
    title: 'sh: interactive prompt',
    argv: ['dash', '-i'],
    needs: ['dash'],
    ...waiting,
    answer: 'exit\r',
  },
  {
    title: 'python3: input()',
    argv: ['python3', '-c', 'input("Name: ")'],
    needs: ['python3'],
    ...proven,
    answer: 'x\r',
  },
  {
    title: 'python3: getpass',
    argv: ['python3', '-c', 'import getpass; getpass.getpass()'],
    needs: ['python3'],
    ...proven,
    secret: true,
    answer: 'x\r',
  },
  {
    title: 'python3: interactive prompt',
    argv: ['python3', '-q'],
    needs: ['python3'],
    ...waiting,
    answer: 'exit()\r',
  },
  {
    title: 'python3: a thread reads, another waits',
    argv: ['python3', program('read-aside.py')],
    needs: ['python3'],
    ...inferred,
  },
  {
    title: 'python3: draws, and reads for a time',
    argv: ['python3', program('read-for-a-time.py')],
    needs: ['python3'],
    ...working,
    isLoud: true,
    answer: 'q',
  },
  {
    title: 'perl: <STDIN>',
    argv: ['perl', '-e', 'print "Name: "; $| = 1; $x = <STDIN>'],
    needs: ['perl'],
    ...proven,
    answer: 'x\r',
  },
  {title: 'cat', argv: ['cat'], needs: ['cat'], ...proven, answer: '\u0004'},
  {
    title: 'cat | grep',
    argv: bash('cat | grep x'),
    needs: ['bash', 'grep'],
    ...proven,
    answer: '\u0004',
  },
  {title: 'cat, stopped', argv: ['cat'], needs: ['cat'], ...idle, isStopped: true},
  {title: 'less', argv: ['less', '/etc/passwd'], needs: ['less'], ...waiting, answer: 'q'},
  {
    title: 'more',
    argv: ['more', program('serve.mjs'), program('serve.mjs')],
    needs: ['more'],
    ...waiting,
    answer: 'q',
  },
  {
    title: 'git log, with less',
    argv: bash(
      `${repository} commit -q --allow-empty -m x && git -c core.pager='less -+F -+X' log`,
    ),
    needs: ['bash', 'git', 'less'],
    ...waiting,
    answer: 'q',
  },
  {title: 'vim', argv: ['vim', '-u', 'NONE', '-n'], needs: ['vim'], ...inferred, answer: ':q!\r'},
  {
    title: 'git commit, with vi',
    argv: bash(`${repository} -c core.editor=vi commit --allow-empty`),
    needs: ['bash', 'git', 'vi'],
    ...waiting,
    answer: ':q!\r',
  },
  {
    title: 'git clean -i',
    argv: bash('git init -q . && touch a && git clean -i'),
    needs: ['bash', 'git'],
    ...proven,
    answer: 'q\r',
  },
  {
    title: 'node: readline',
    argv: [
      'node',
      '-e',
      'require("readline").createInterface({input: process.stdin, output: process.stdout}).question("Name: ", () => process.exit())',
    ],
    needs: ['node'],
    ...inferred,
    answer: 'x\r',
  },
  {
    title: 'node: readFileSync on the terminal',
    argv: [
      'node',
      '-e',
      'process.stdout.write("Name: "); require("fs").readSync(0, Buffer.alloc(9))',
    ],
    needs: ['node'],
    ...inferred,
    answer: 'x\r',
  },
  {
    title: 'node: interactive prompt',
    argv: ['node'],
    needs: ['node'],
    ...inferred,
    answer: '.exit\r',
  },
  {
    title: 'node: full-screen program at work',
    argv: ['node', program('spin.mjs')],
    needs: ['node'],
    ...working,
    isLoud: true,
  },
  {
    title: 'node: full-screen program at rest',
    argv: ['node', program('rest.mjs')],
    needs: ['node'],
    ...idle,
  },
  {
    title: 'node: server',
    argv: ['node', program('serve.mjs'), '127.0.0.1:0'],
    needs: ['node'],
    ...working,
  },
  {
    title: 'node: server whose last line looks like a question',
    argv: ['node', program('ask-and-serve.mjs')],
    needs: ['node'],
    ...working,
  },
  {title: 'npm init', argv: ['npm', 'init', '--offline'], needs: ['npm'], ...inferred},
  {
    title: 'ssh-keygen: passphrase',
    argv: ['ssh-keygen', '-q', '-t', 'ed25519', '-f', 'key'],
    needs: ['ssh-keygen'],
    ...proven,
    secret: true,
    answer: '\u0003',
  },
  {
    title: 'su: password',
    argv: [...ordinary, 'su'],
    needs: ['su', ...ordinary.slice(0, 1)],
    ...waiting,
    secret: true,
    answer: '\u0003',
  },
  {
    title: 'sudo: password',
    argv: [...ordinary, 'sudo', '-k', 'true'],
    needs: ['sudo', ...ordinary.slice(0, 1)],
    ...waiting,
    secret: true,
    answer: '\u0003',
  },
  {title: 'ed', argv: ['ed'], needs: ['ed'], ...proven, answer: 'q\r'},
  {title: 'bc', argv: ['bc', '-q'], needs: ['bc'], ...waiting, answer: 'quit\r'},
  {title: 'sqlite3', argv: ['sqlite3'], needs: ['sqlite3'], ...waiting, answer: '.quit\r'},
  {
    title: 'yes, while nobody takes what it prints',
    argv: ['yes', 'Continue?'],
    needs: ['yes'],
    ...working,
    isHeldUp: true,
  },
  {
    title: 'top',
    argv: ['top'],
    needs: ['top'],
    expected: ['working', 'idle'],
    proof: ['none'],
    isLoud: true,
  },
  {title: 'sleep', argv: ['sleep', '1000'], needs: ['sleep'], ...working},
  {
    title: 'a question, and sleep',
    argv: bash('printf "Overwrite? [y/N] "; sleep 1000'),
    needs: ['bash'],
    ...working,
  },
  {
    title: 'a question, and a busy loop',
    argv: ['nice', '-n', '19', ...bash('printf "Password: "; while :; do :; done')],
    needs: ['bash'],
    ...working,
  },
  {
    title: 'make, running sleep',
    argv: bash(String.raw`printf 'all:\n\tsleep 1000\n' > Makefile; make`),
    needs: ['bash', 'make'],
    ...working,
  },
  {
    title: 'a child under nohup is waited for',
    argv: bash('nohup sleep 1000 >/dev/null 2>&1 & wait'),
    needs: ['bash'],
    ...working,
  },
  {
    title: 'waits for the network',
    argv: [
      'python3',
      '-c',
      'import socket; s = socket.create_server(("127.0.0.1", 0)); print("Host? ", end="", flush=True); s.accept()',
    ],
    needs: ['python3'],
    ...working,
  },
];
