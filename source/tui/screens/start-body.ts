import type {State} from '../../domain/index.ts';
import {agentsOf, chosenAgent} from '../model/agents-of.ts';
import {blank, span, type Line} from '../model/line.ts';
import type {Model} from '../model/model.ts';
import {windowOf} from '../model/text-field.ts';
import type {Body, ScreenView} from './body.ts';
import {paragraph, plural} from './words.ts';

/** A repository with nothing to do yet: what should be different? */
export function startBody({model, state, size: {columns}}: ScreenView): Body {
  const width = Math.min(columns - 4, 100);
  const rows = model.repository.trouble === undefined ? promptRows(model, state, width) : troubleRows(model.repository.trouble, width);
  return {list: 'help', head: [blank, [span('  orchestra', 'title'), span(`  in ${model.repository.name}`, 'quiet')], blank], rows, foot: [], hasCursor: false};
}

function troubleRows(trouble: 'no-git' | 'no-commits', width: number): Line[] {
  const [what, offer] = trouble === 'no-git'
    ? ['This directory is not a git repository. Each task works in a worktree of its own, and those are made by git.', 'I  makes it one: git init, and a first commit of what is here']
    : ['This repository has no commit yet. Each task begins from a commit.', 'I  makes a first commit of what is here'];
  return [...paragraph(what, width, {first: '  '}), blank, [span(`  ${offer}`, 'accent')], blank, ...paragraph('Or do it yourself, and start orchestra again.', width, {first: '  ', tone: 'quiet'})];
}

function promptRows(model: Model, state: State, width: number): Line[] {
  return [
    [span('  What should be different?', 'strong')], blank,
    promptLine(model, width),
    [span(`  ${'─'.repeat(Math.max(0, width - 2))}`, 'quiet')], blank,
    agentLine(agentsOf(model, state), chosenAgent(model, state)), rulesLine(model), blank,
    ...historyLines(model, width),
    ...paragraph('A planner reads the repository and writes nothing. You read its plan and approve it; only then do workers start, each in a worktree of its own.', width, {first: '  ', tone: 'quiet'}),
  ];
}

const promptColumn = 4;

function promptLine({field}: Model, width: number): Line {
  if (field?.for.what !== 'objective') return [span('  > ', 'quiet'), span('Enter, and write', 'quiet')];
  const {before, at, after} = windowOf(field, width - promptColumn);
  return [span('  > ', 'accent'), span(before), span(at, 'caret'), span(after)];
}

function agentLine(agents: readonly string[], agent: string | undefined): Line {
  if (agents.length === 0) return [span('  Agent  ', 'quiet'), span('none is installed or declared; see orchestra doctor', 'bad')];
  return [span('  Agent  ', 'quiet'), ...agents.flatMap((name) => [span(name === agent ? '● ' : '○ ', name === agent ? 'accent' : 'quiet'), span(`${name}   `, name === agent ? 'strong' : 'quiet')]), span(agents.length > 1 ? 'Tab chooses' : '', 'quiet')];
}

function rulesLine({repository: {rules}}: Model): Line {
  if (!rules.exists) return [span('  Rules  ', 'quiet'), span('none: nothing but the plan binds the workers. ', 'needs'), span('.rulesfile.md holds them', 'quiet')];
  if (rules.problems > 0) return [span('  Rules  ', 'quiet'), span(`! ${plural(rules.rules, 'rule', 'rules')}, ${plural(rules.problems, 'problem', 'problems')}: `, 'needs'), span('orchestra rules check', 'quiet')];
  return [span('  Rules  ', 'quiet'), span(`✓ ${plural(rules.rules, 'rule', 'rules')}, no problems`, 'good')];
}

function historyLines({objectives, field}: Model, width: number): Line[] {
  if (objectives.length === 0) return [];
  const chosen = field?.older;
  const recent = objectives.map((text, index) => ({text, index})).slice(-4).toReversed();
  return [[span('  Earlier, with ↑', 'quiet')], ...recent.map(({text, index}): Line => [span(index === chosen ? '  ▸ ' : '    ', 'accent'), span(text.slice(0, width), 'quiet')]), blank];
}
