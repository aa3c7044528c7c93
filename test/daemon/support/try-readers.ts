import path from 'node:path';
import {mkdirSync} from 'node:fs';
import {readRepository} from '../../../source/cli/app/repository.ts';
import {readGrantFile} from '../../../source/cli/mcp.ts';
import {readOutcomeText} from '../../../source/daemon/launch/exchange.ts';
import {readKnowledge, readSkills} from '../../../source/daemon/launch/prompt-context.ts';
import {readRules} from '../../../source/daemon/effects/run-base.ts';
import {readPromptRecord} from '../../../source/daemon/server/audit.ts';
import {readProjectFile} from '../../../source/daemon/monitors/watch-project.ts';
import {readPlaybookFile} from '../../../source/playbook-agent/run-playbook.ts';
import {findProgressFile, readProgress} from '../../../source/playbook-agent/progress.ts';
import {readPrompt} from '../../../source/agent-runner/run-agent.ts';
import {createUsageRecord} from '../../../source/agent-runner/follow-stream.ts';
import {findRepository, preferencesProblem, readPreferences} from '../../../source/config/index.ts';
import {fingerprintFile} from '../../../source/git/guard/fingerprint.ts';
import {hashOfFile, readGitLink, readRegisteredAt} from '../../../source/git/worktrees/records.ts';

/**
 * What reads a file that somebody else may have made: where the file is below a directory, and how
 * it is read.
 */
type Reader = {
  readonly file: string;
  readonly read: (root: string, file: string) => unknown;
  /**
   * A person chose the file, or only its fingerprint is taken: a link is followed.
   */
  readonly follows?: true;
};

const exchange = (root: string) => ({
  directory: path.join(root, 'exchange', 'j-s1'),
  below: root,
  prompt: '',
  outcome: path.join(root, 'exchange', 'j-s1', 'outcome.json'),
  typed: '',
  context: '',
  tools: '',
  signals: '',
  checkLog: '',
  given: '',
  inbox: '',
});
const store = {noteOf: () => undefined, cookieOf: (session: string) => `j-${session}`} as never;

export const readers: Readonly<Record<string, Reader>> = {
  rules: {file: '.rulesfile.md', read: (root) => readRules(root)},
  project: {file: '.orchestra/project.yaml', read: (root) => readProjectFile(root)},
  'project in the app': {
    file: '.orchestra/project.yaml',
    read: (root) => ({...readRepository({cwd: root, env: {PATH: '/usr/bin:/bin'}}).project}),
  },
  'rules in the app': {
    file: '.rulesfile.md',
    read: (root) => ({...readRepository({cwd: root, env: {PATH: '/usr/bin:/bin'}}).rules}),
  },
  knowledge: {
    file: '.orchestra/knowledge/note.md',
    read: (root) => readKnowledge(root).search('secret outside place'),
  },
  skill: {file: '.claude/skills/one/SKILL.md', read: (root) => readSkills(root)},
  outcome: {file: 'exchange/j-s1/outcome.json', read: (root) => readOutcomeText(exchange(root))},
  'parts of the prompt': {
    file: 'exchange/j-s1/context.json',
    read: (root) => readPromptRecord({stateDirectory: root, store}, 's1'),
  },
  prompt: {file: 'exchange/prompt.md', read: (_, file) => readPrompt(file, 0)},
  grant: {
    file: 'exchange/tools.json',
    read: (root, file) =>
      readGrantFile(file, {env: {}, cwd: root}, (text) => ({problem: `it is ${text}`})),
  },
  'worktree link': {file: 'tree/.git', read: (root) => readGitLink(path.join(root, 'tree'))},
  'repository of a worktree': {
    file: 'tree/.git',
    read: (root) => findRepository(path.join(root, 'tree')),
  },
  'git directory': {file: 'admin/HEAD', read: (root) => readRegisteredAt(path.join(root, 'admin'))},
  'common directory': {
    file: 'admin/commondir',
    read: (root) => readRegisteredAt(path.join(root, 'admin')),
  },
  fingerprint: {file: 'hooks/pre-commit', read: (_, file) => fingerprintFile(file), follows: true},
  'copied file': {file: 'tree/.env', read: (_, file) => hashOfFile(file)},
  playbook: {file: 'playbook.yaml', read: (_, file) => readPlaybookFile(file), follows: true},
  'progress of a playbook': {
    file: 'admin/orchestra-playbook.json',
    read: (_, file) => readProgress(file),
  },
  'worktree of a playbook': {
    file: 'tree/.git',
    read: (root) => findProgressFile(path.join(root, 'tree')),
  },
  'earlier usage': {
    file: 'records/2026/c1.jsonl',
    read: (root) =>
      createUsageRecord(
        {
          directory: () => path.join(root, 'records'),
          fileEnd: (name) => `${name}.jsonl`,
          read: (text) => ({input: text.length, output: 0}),
        },
        {},
      )('c1'),
  },
  settings: {
    file: 'settings/settings.json',
    read: (root) => [
      readPreferences(path.join(root, 'settings')),
      preferencesProblem(path.join(root, 'settings')),
    ],
    follows: true,
  },
};

/** Run as somebody: reads every file below every root, and tells what came of it. */
if (process.argv[1] === import.meta.filename) {
  const answers = process.argv.slice(2).map((root) => {
    const [name = ''] = path.basename(root).split('@');
    const reader = readers[name];
    if (reader === undefined) return {root, text: 'no such reader', ms: 0};
    const start = performance.now();
    const text = notify(() => reader.read(root, path.join(root, reader.file)));
    return {root, text, ms: performance.now() - start};
  });
  process.stdout.write(JSON.stringify({answers, rss: process.memoryUsage.rss()}));
}

function notify(read: () => unknown): string {
  try {
    return JSON.stringify(read() ?? 'nothing');
  } catch (error) {
    return `error: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Makes the directories that a reader expects. */
export function layOut(root: string, name: string): string {
  const file = path.join(root, readers[name]?.file ?? '');
  mkdirSync(path.dirname(file), {recursive: true});
  return file;
}
