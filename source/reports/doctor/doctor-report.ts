import {agentsFinding} from './agent-findings.ts';
import type {DoctorFacts} from './doctor-facts.ts';
import {type Finding, finding} from './finding.ts';
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
import {networkFinding} from './network-finding.ts';
import {
  journalFindings,
  projectFindings,
  repositoryFinding,
  sharingFindings,
} from './repository-findings.ts';
import {approvalFinding, sandboxFinding} from './sandbox-findings.ts';

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
