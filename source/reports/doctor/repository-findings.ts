import {pluralize, sanitizeText} from '../../shared/index.ts';
import type {DoctorFacts, JournalFacts, ProgramFacts, DoctorRepository} from './doctor-facts.ts';
import {type Finding, finding, problem} from './finding.ts';

export function repositoryFinding(repository: DoctorRepository, git: ProgramFacts): Finding {
  if (git.at === 'missing') return finding('repository', 'ok', 'unknown without git');
  if (repository.at === 'none')
    return finding('repository', 'ok', 'none here; orchestra needs a git repository');
  if (repository.at === 'unknown')
    return finding(
      'repository',
      'warning',
      `unknown: ${repository.said}`,
      'Try it yourself: git status',
    );
  const problems = [
    ...problem(
      repository.isBare,
      'bare',
      'Work in a checkout of it: git clone, or git worktree add.',
    ),
    ...problem(
      !repository.hasCommit,
      'no commit yet',
      'Make a first commit: every run starts from a commit.',
    ),
    ...problem(
      repository.isShallow,
      'shallow clone',
      'A merge may lack its base commit: git fetch --unshallow',
    ),
    ...problem(
      repository.hasSubmodules,
      'submodules',
      'Worktrees start without them: run git submodule update --init in the setup command',
    ),
  ];
  const where = repository.topLevel ?? repository.commonDirectory;
  if (problems.length === 0) return finding('repository', 'ok', where);
  return finding(
    'repository',
    'warning',
    `${where} (${problems.map(([text]) => text).join(', ')})`,
    problems.map(([, advice]) => advice),
  );
}

export function projectFindings(project: DoctorFacts['project']): Finding[] {
  if (project === undefined) return [];
  const {file, problems} = project;
  if (problems.length === 0) return [finding('project', 'ok', file)];
  const shown = problems.slice(0, maxProblems).map(({line, text}) => `line ${line}: ${text}`);
  const more = problems.length > maxProblems ? [`and ${problems.length - maxProblems} more`] : [];
  return [
    finding(
      'project',
      'warning',
      [`${file}: what is not understood is ignored`, ...shown, ...more],
      'Its format: docs/project-file.md',
    ),
  ];
}

export function sharingFindings(unshared: NonNullable<DoctorFacts['unshared']>): Finding[] {
  if (unshared.length === 0) return [];
  const shown = unshared
    .slice(0, maxProblems)
    .map(({path, tool}) => `${sanitizeText(path)}: ${tool}`);
  const more = unshared.length > maxProblems ? [`and ${unshared.length - maxProblems} more`] : [];
  return [
    finding(
      'sharing',
      'warning',
      ['git ignores these, so tasks do not have them', ...shown, ...more],
      'If tasks and checks need them: orchestra share ' +
        (unshared.length === 1 ? sanitizeText(unshared[0]?.path ?? '') : '--detected'),
    ),
  ];
}

const maxProblems = 5;

export function journalFindings(journals: readonly JournalFacts[] | undefined): Finding[] {
  return journals?.length === 0
    ? [finding('journal', 'ok', 'none yet')]
    : (journals ?? []).map((journal) => journalFinding(journal));
}

function journalFinding(journal: JournalFacts): Finding {
  if (journal.at === 'unreadable')
    return finding(
      'journal',
      'error',
      [journal.path, journal.said],
      'Make the file readable for you.',
    );
  const {path, records, ending, said, blobs, damagedBlobs} = journal;
  const text = [
    path,
    `${pluralize(records, 'record')}, ${pluralize(blobs, 'blob')}`,
    ...(said === '' ? [] : [said]),
    ...damagedBlobs.map((name) => `damaged blob: ${name}`),
  ];
  if (damagedBlobs.length > 0 || (ending !== 'clean' && ending !== 'torn'))
    return finding(
      'journal',
      'error',
      text,
      'Until this is solved it is read-only: nothing new starts.',
    );
  return ending === 'clean'
    ? finding('journal', 'ok', text)
    : finding(
        'journal',
        'warning',
        text,
        'Nothing to do: the next start saves the torn end in a file and continues.',
      );
}
