import type {State} from '../../domain/index.ts';
import {noChange, openField, type Result, withEffects, withNotice} from './action.ts';
import {canWriteObjective} from './agent-choice.ts';
import type {FirstWay, Model} from './model.ts';

/** The ways on where no agent is installed, in the order of their numbers. */
export const firstWays: readonly FirstWay[] = ['demo', 'install', 'declare', 'playbook'];

/** The ways that are explained; the others begin at once. */
export type ExplainedWay = Exclude<FirstWay, 'demo' | 'playbook'>;

export function isExplained(way: FirstWay | undefined): way is ExplainedWay {
  return way === 'install' || way === 'declare';
}

/** What a person writes in a shell, or into a file. */
export const wayLines: Readonly<Record<ExplainedWay, readonly string[]>> = {
  install: [
    'npm install -g @anthropic-ai/claude-code',
    'npm install -g @openai/codex',
    'npm install -g @google/gemini-cli',
    'npm install -g opencode-ai',
    'npm install -g @mariozechner/pi-coding-agent',
  ],
  declare: [
    'agents:',
    '  my-agent:',
    '    plan: [my-agent, --read-only]',
    '    work: [my-agent]',
    '    prompt: stdin',
  ],
};

/** A repository, and nobody to work in it. */
export function isWithoutAgent(model: Model, state: State): boolean {
  return model.repository.trouble === undefined && !canWriteObjective(model, state);
}

export function selectMarkedWay({places}: Model): FirstWay | undefined {
  return firstWays[Math.max(0, Math.min(firstWays.length - 1, places.ways.cursor))];
}

/** Begins the demo, asks for a playbook, or explains the way. */
export function chooseWay(model: Model, way: FirstWay | undefined, now: number): Result {
  if (way === undefined) return noChange(model);
  const marked: Model = {
    ...model,
    way,
    places: {...model.places, ways: {cursor: firstWays.indexOf(way), top: 0}},
  };
  if (way === 'demo') return openDemo(marked, now);
  return noChange(
    way === 'playbook' ? openField(marked, {what: 'playbook'}, 'Path of the playbook') : marked,
  );
}

/** The demo has its own repository: nothing changes in this one. */
export function openDemo(model: Model, now: number): Result {
  return withEffects(withNotice(model, 'Making a throw-away repository with a real bug …', now), {
    type: 'open-demo',
  });
}

/** Copies the commands of the way that is explained. */
export function copyWay(model: Model, now: number): Result {
  const way = model.way ?? selectMarkedWay(model);
  return isExplained(way)
    ? withEffects(model, {type: 'copy', text: `${wayLines[way].join('\n')}\n`})
    : noChange(withNotice(model, 'There is no command to copy here.', now));
}
