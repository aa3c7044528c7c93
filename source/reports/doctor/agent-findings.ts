import type {DoctorFacts} from './doctor-facts.ts';
import {type Finding, finding, silentText} from './finding.ts';

export function agentsFinding(agents: DoctorFacts['agents'], defaultAgent: string): Finding {
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
      `${confined.name} starts in your shell but not in the sandbox, so its sessions fail. Install it and what it needs where the sandbox can read it: outside /tmp and /run/user.`,
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
          `${name} does not start in the sandbox: ${sandboxed.how}${sandboxed.said === '' ? '' : `; it printed: ${sandboxed.said}`}`,
        ]
      : []),
    ...(lacks === undefined ? [] : [lacks]),
  ];
}
