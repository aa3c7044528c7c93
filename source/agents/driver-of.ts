import type {AgentSpec} from './agent-spec.ts';
import {claudeDriver} from './claude-driver.ts';
import {codexDriver} from './codex-driver.ts';
import type {Driver, Refusal} from './driver.ts';
import {geminiDriver} from './gemini-driver.ts';
import {genericDriver} from './generic-driver.ts';
import {opencodeDriver} from './opencode-driver.ts';
import {piDriver} from './pi-driver.ts';
import {playbookDriver} from './playbook-driver.ts';

/** Those that need no declaration. */
export const drivers: readonly Driver[] = [
  claudeDriver,
  codexDriver,
  geminiDriver,
  opencodeDriver,
  piDriver,
  playbookDriver,
];

/** What a project declares comes before what is known by the same name: it says how that agent is to be started here. */
export function driverOf(
  name: string,
  declared: readonly AgentSpec[],
): {readonly driver: Driver} | Refusal {
  const spec = declared.find((candidate) => candidate.name === name);
  const driver =
    spec === undefined ? drivers.find((candidate) => candidate.name === name) : genericDriver(spec);
  if (driver !== undefined) return {driver};

  const names = new Set([...declared, ...drivers].map((one) => one.name));
  return {
    refused: `there is no agent "${name}". There are: ${[...names].join(', ')}. Others are declared under "agents:" in .orchestra/project.yaml.`,
  };
}
