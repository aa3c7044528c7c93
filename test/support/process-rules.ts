import ts from 'typescript';
import type {SourceTree, Violation} from './module-rules.ts';

/**
 * Everything that may start a process, each with the reason why it is not an agent's files that run
 * there with the person's rights. What works for a run is started in one place: `daemon/launch`
 * says what is run and confines it, and the keeper (for a session) or `run-confined` (for a single
 * command) starts it. What is started and awaited uses execa, git the simple-git wrapper; the
 * others say why not, where they do not just detach a process of ours.
 */
export const starters: Readonly<Record<string, string>> = {
  'launcher.ts': 'starts this very program on a newer Node',
  'keeper/open-terminal.ts': 'runs what the launcher has written down, and nothing else',
  'system/run-probe.ts':
    'asks programs of the system a question; plain spawn, because it reads on for a moment after the exit and drops what is too much (faults E11)',
  'system/processes/find-adopter.ts':
    'a shell with a script of our own, whose orphan says who adopted it; plain spawn, because the orphan outlives it',
  'agent-runner/process-family.ts':
    'asks ps which processes an agent has started, where there is no /proc',
  'daemon/sessions/start-keeper.ts': 'starts our own keeper',
  'daemon/startup/leave-session.ts':
    'starts this very daemon outside of the session that called it',
  'daemon/monitors/hooks.ts':
    "runs hooks and notifications: the person's own files in their own checkout, marked, deciding nothing; plain spawn, because what it leaves in the background may not delay the daemon",
  'git/client/create-git.ts': 'git, hardened; a guard looks at what it would run before',
  'git/client/hash-objects.ts':
    'the same git, for output that is bytes; plain spawn, because gigabytes are hashed as they come',
  'git/accept/open-pull-request.ts': "gh, in the person's own client at their word",
  'network/supervise.ts':
    'starts the sandbox that the launcher has written down, and holds its network',
  'agent-runner/start-agent.ts':
    'runs inside of the session, and so inside of its sandbox; plain spawn, because it follows a stream',
  'playbook-agent/shell.ts': 'runs inside of the session, and so inside of its sandbox',
  'agents/pi-extension.ts': 'the text of an extension that runs inside of the agent',
  'cli/start-daemon.ts': 'starts our own daemon',
  'cli/app/repository.ts':
    "git init in the person's directory at their word, and git in their own checkout; plain, because it is in the app's bundle",
  'cli/read-clipboard.ts':
    "the platform's clipboard tool in the person's own client at their word; plain, because its output is bytes, and it is in the app's bundle",
  'cli/demo/make-demo.ts': 'a repository that is made for the demo',
  'cli/runs/edit-text.ts':
    "the person's own editor in their terminal, and git for its name; synchronous, so that nothing else reads the terminal",
};

/**
 * In the daemon these alone may ask `machine` to run a program: one confines it, the others try the
 * sandbox itself, and for the doctor how an agent starts in it.
 */
const probers: ReadonlySet<string> = new Set([
  'daemon/launch/run-confined.ts',
  'daemon/startup/try-sandbox.ts',
  'daemon/startup/try-agent.ts',
]);

const packages =
  /^(?:node:child_process|child_process|execa|simple-git|node-pty|node:cluster|node:worker_threads)$/;

export function processViolations(tree: SourceTree): Violation[] {
  return [...tree].flatMap(([file, text]) => [
    ...getStarts(file, text),
    ...getProbes(file, text),
    ...getConfines(file, text),
  ]);
}

function getStarts(file: string, text: string): Violation[] {
  const mentions =
    ts
      .preProcessFile(text, true, true)
      .importedFiles.some(({fileName}) => packages.test(fileName)) ||
    /['"](?:node:)?child_process['"]/.test(text);
  return mentions && starters[file] === undefined
    ? [
        {
          file,
          text: 'starts processes, but is not in the list of those that may (test/support/process-rules.ts)',
        },
      ]
    : [];
}

function getProbes(file: string, text: string): Violation[] {
  const isDaemon = file.startsWith('daemon/');
  return isDaemon && !probers.has(file) && /\b(?:runProbe|askProgram)\(/.test(text)
    ? [
        {
          file,
          text: 'runs a program by itself; what works for a run goes through launch/run-confined.ts',
        },
      ]
    : [];
}

/** The command of a session is put into its sandbox in one place. */
function getConfines(file: string, text: string): Violation[] {
  if (
    !/\bsandboxed\(/.test(text) ||
    file.startsWith('sandbox/') ||
    file === 'daemon/startup/try-sandbox.ts' ||
    file === 'daemon/startup/try-agent.ts'
  )
    return [];
  return file.startsWith('daemon/launch/')
    ? []
    : [{file, text: 'makes a sandbox by itself; daemon/launch does that'}];
}
