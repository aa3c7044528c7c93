/**
 * The tests by what they need. Every test file is in exactly one group: what neither list names is
 * an integration test.
 */
export type Group = 'unit' | 'integration' | 'e2e';

export const groups: readonly Group[] = ['unit', 'integration', 'e2e'];

/** Pure functions only: no build, no processes, no sockets. They run in one process. */
const unit = [
  'test/architecture.test.ts',
  'test/vocabulary.test.ts',
  'test/agents/',
  'test/app/components/',
  'test/app/ink/',
  'test/app/input/',
  'test/app/keymap/',
  'test/app/model/',
  'test/app/panes/',
  'test/app/render/',
  'test/app/review/',
  'test/app/screens/',
  'test/app/select/',
  'test/app/theme/',
  'test/domain/',
  'test/failures/',
  'test/knowledge/',
  'test/plan/',
  'test/playbook/',
  'test/project-config/',
  'test/prompts/',
  'test/protocol/',
  'test/reports/',
  'test/rules/',
  'test/scripts/',
  'test/secrets/',
  'test/shared/',
  'test/syntax/',
  'test/terminal/',
];

/** They compare times, so each needs a process of its own. */
const timed = /(?:growth|floods|hostile|redact)\.test\.ts$/;

/** The built program as a person runs it. */
const e2e = ['test/e2e/', 'test/package.test.ts', 'test/launcher.test.ts'];

export function groupOf(file: string): Group {
  if (e2e.some((prefix) => file.startsWith(prefix))) return 'e2e';
  const isPure = unit.some((prefix) => file.startsWith(prefix)) && !timed.test(file);
  return isPure ? 'unit' : 'integration';
}
