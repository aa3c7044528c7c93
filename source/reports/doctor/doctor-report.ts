import type {DoctorFacts} from './doctor-facts.ts';
import {type Finding, finding, silentText} from './finding.ts';
import {
  directoryFinding,
  diskFinding,
  ghFinding,
  gitFinding,
  logoutFinding,
  nodeFinding,
  platformFinding,
  runtimeFinding,
  terminalFinding,
} from './machine-findings.ts';
import {approvalFinding, networkFinding, sandboxFinding} from './sandbox-findings.ts';
import {
  journalFindings,
  projectFindings,
  repositoryFinding,
  sharingFindings,
} from './repository-findings.ts';
import {pluralize, wrapLine} from '../../shared/index.ts';

/** Turns the collected facts into findings, in the order in which they are printed. */
export function buildDoctorReport(facts: DoctorFacts): DoctorReport {
  const findings = [
    nodeFinding(facts.node),
    platformFinding(facts.system),
    gitFinding(facts.git),
    repositoryFinding(facts.repository, facts.git),
    ...projectFindings(facts.project),
    ...sharingFindings(facts.unshared ?? []),
    terminalFinding(facts.terminal),
    directoryFinding('state', facts.state, 'XDG_STATE_HOME'),
    runtimeFinding(facts.runtime),
    diskFinding(facts.disks),
    agentsFinding(facts.agents, facts.defaultAgent),
    sandboxFinding(facts.sandbox),
    approvalFinding(facts.approval, facts.system.platform),
    networkFinding(facts.sandbox, facts.project ?? {}),
    logoutFinding(facts.logout, facts.system.platform),
    ghFinding(facts.gh),
    ...(facts.daemonJournal === undefined ? [] : [finding('daemon', 'error', facts.daemonJournal)]),
    ...journalFindings(facts.journals),
  ];
  return {ok: findings.every(({level}) => level !== 'error'), findings};
}

export type DoctorReport = {
  /** No error; warnings are allowed. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
};

function agentsFinding(agents: DoctorFacts['agents'], defaultAgent: string): Finding {
  const mark = (name: string): string => (name === defaultAgent ? ', the default' : '');
  const lines = agents.flatMap((agent) => {
    if (agent.at === 'works')
      return [
        `${agent.name} ${agent.version} (${agent.file})${mark(agent.name)}`,
        ...trialLines(agent),
      ];
    if (agent.at === 'silent') return [`${agent.name}: ${silentText(agent)}${mark(agent.name)}`];
    return agent.ignored.map(
      (file) => `${agent.name}: ${file} is ignored because it is inside this repository`,
    );
  });
  const absent = agents.filter((agent) => agent.at === 'missing').map(({name}) => name);
  const text = [...lines, ...(absent.length === 0 ? [] : [`not found: ${absent.join(', ')}`])];
  const broken = agents.find((agent) => agent.at === 'silent');
  if (broken !== undefined)
    return finding('agents', 'warning', text, `Try it yourself: ${broken.file} --version`);
  const confined = agents.find((agent) => agent.at === 'works' && agent.sandboxed?.at === 'fails');
  if (confined !== undefined)
    return finding('agents', 'warning', text, [
      `${confined.name} starts in your shell but not in the sandbox, so its sessions ` +
        'fail. Install it and what it needs where the sandbox can read it: outside /tmp ' +
        'and /run/user.',
      'Or, weaker, in .orchestra/project.yaml: sandbox: off',
    ]);
  if (agents.some(({lacks}) => lacks !== undefined))
    return finding('agents', 'warning', text, 'Which variables agents get: docs/environment.md');
  if (absent.length < agents.length) return finding('agents', 'ok', text);
  return finding(
    'agents',
    'warning',
    [...text, 'only the built-in playbook, which needs no model'],
    `Install one, for example: npm install --global ${agents[0]?.npmPackage ?? ''}`,
  );
}

function trialLines({name, sandboxed, lacks}: DoctorFacts['agents'][number]): readonly string[] {
  return [
    ...(sandboxed?.at === 'fails'
      ? [
          `${name} does not start in the sandbox: ` +
            `${sandboxed.how}${sandboxed.said === '' ? '' : `; it printed: ${sandboxed.said}`}`,
        ]
      : []),
    ...(lacks === undefined ? [] : [lacks]),
  ];
}

/** For people: 80 columns, no colour; the text that is ours is plain ASCII. */
export function formatDoctorReport({findings}: DoctorReport): string {
  return [...findings.flatMap((one) => findingLines(one)), '', formatVerdict(findings), ''].join(
    '\n',
  );
}

/**
 * For programs: escaped to plain ASCII, so that no path can act on a terminal and no character is
 * lost.
 */
export function formatDoctorJson(report: DoctorReport, facts: DoctorFacts): string {
  const text = JSON.stringify({ok: report.ok, findings: report.findings, facts}, undefined, 2);
  return (
    text.replaceAll(
      /[\u007F-\uFFFF]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ) + '\n'
  );
}

function findingLines({name, level, text, advice}: Finding): string[] {
  const paragraphs = [
    ...text.split('\n'),
    ...(advice === undefined ? [] : advice.split('\n').map((line) => `-> ${line}`)),
  ];
  // Paths are not broken, so that they can be copied.
  const [first = '', ...rest] = paragraphs.flatMap((paragraph) =>
    wrapLine(paragraph, textWidth, {overlong: 'keep'}),
  );
  return [
    `${level.padEnd(9)}${name.padEnd(11)}${first}`,
    ...rest.map((line) => ' '.repeat(20) + line),
  ];
}

const textWidth = 80 - 20;

function formatVerdict(findings: readonly Finding[]): string {
  const errors = findings.filter(({level}) => level === 'error').length;
  const warnings = findings.filter(({level}) => level === 'warning').length;
  if (errors === 0 && warnings === 0) return 'Everything is fine.';
  if (errors === 0) return `No errors, ${pluralize(warnings, 'warning')}: orchestra works here.`;
  const both =
    warnings === 0
      ? pluralize(errors, 'error')
      : `${pluralize(errors, 'error')} and ${pluralize(warnings, 'warning')}`;
  return `${both}: orchestra does not work here until the errors are gone.`;
}
