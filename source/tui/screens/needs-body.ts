import {needInWords, toothText} from '../../documents/index.ts';
import {runIdIn, runOf, sessionOf, taskIdOfSession, taskOf, type Need, type State} from '../../domain/index.ts';
import {isOpen} from '../model/contexts-of.ts';
import {blank, button, ends, span, widthOfLine, type Line} from '../model/line.ts';
import type {Model} from '../model/model.ts';
import {answersTo, positionOf} from '../model/needs-queue.ts';
import type {Body, ScreenView} from './body.ts';
import {inTaskWords} from './in-task-words.ts';
import {agoOf, heading, paragraph, readable} from './words.ts';

/** One thing that waits for the person, whole: what it is, what is known about it, and the keys that answer it. */
export function needsBody({model, state, size, now}: ScreenView): Body {
  const columns = Math.min(size.columns, readable);
  const {need} = model;
  if (need === undefined) return {list: 'need', head: [], rows: [blank, [span('  Nothing needs you.', 'good')], blank, ...paragraph('Workers go on by themselves. Whatever needs you is shown in the first line, and n leads to it.', columns - 4, {first: '  '})], foot: [], hasCursor: false};
  const position = positionOf(state, need);
  const isStillOpen = isOpen(need, state);
  const where = isStillOpen ? `${position.at} of ${position.of}` : `settled; ${position.of === 0 ? 'nothing else needs you' : `${position.of} more`}`;
  return {
    list: 'need',
    head: [ends([span(` ${need.kind === 'question' && need.secret ? 'A secret' : titles[need.kind]}`, isStillOpen ? 'needs' : 'good'), span(whoseOf(state, need)), span(`  ${agoOf(now - need.since)}`, 'quiet')], [span(`${where} `, 'quiet')], size.columns), blank],
    rows: isStillOpen ? [...paragraph(sentence(inTaskWords(needInWords(need), state)), columns - 4, {first: '  ', tone: 'strong'}), blank, ...linesAbout(model, state, need, columns)] : settledLines(state, need, position.of, columns),
    foot: [],
    hasCursor: false,
  };
}

const titles: Readonly<Record<Need['kind'], string>> = {
  plan: 'A plan to approve', planless: 'No plan came of it', question: 'A question', 'uncertain-input': 'Typed or not?', stopped: 'A task stopped', trouble: 'Something is in the way', parked: 'Set aside', budget: 'The budget is used up',
  accept: 'Done, to be accepted', 'nothing-left': 'Nothing is left', service: 'A service is down', 'service-missing': 'A service is missing', intrusion: 'An agent went too far',
};

/** For a session the task that it works for: ids of sessions tell a person little. */
function whoseOf(state: State, need: Need): string {
  const session = 'session' in need ? sessionOf(state, need.session) : undefined;
  const id = session === undefined ? undefined : taskIdOfSession(session);
  const task = id === undefined ? undefined : taskOf(state, id);
  return task === undefined ? '' : ` from ${task.id} ${task.planned.title}`;
}

function sentence(words: string): string {
  // Ids stay as they are typed.
  if (/^[rs]\d/.test(words)) return words;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function settledLines(state: State, need: Need, left: number, columns: number): Line[] {
  return [
    ...paragraph(sentence(inTaskWords(needInWords(need), state)), columns - 4, {first: '  ', tone: 'quiet'}), blank,
    [span('  ✓ This is settled.', 'good')], blank,
    [span(left === 0 ? '  Nothing else needs you. Enter leads back.' : '  Enter shows the next.', 'plain')],
  ];
}

function linesAbout(model: Model, state: State, need: Need, columns: number): Line[] {
  const advice = (of: string): Line[] => adviceLines(toldOf(model, of) ?? '', columns);
  const still = paragraph('Nothing of it moves until you resume it.', columns - 4, {first: '  ', tone: 'quiet'});
  switch (need.kind) {
    case 'question':
      return need.secret
        ? paragraph('It asks for a secret. What you type goes to its pane alone: it is not shown, not written down, and no agent sees it.', columns - 4, {first: '  '})
        : optionLines(answersTo(need), need, columns);
    case 'stopped':
      return stoppedLines(model, state, need, columns);
    case 'planless':
      return need.why.kind === 'invalid' ? need.why.problems.flatMap((problem) => paragraph(problem, columns - 6, {first: '  - '})) : advice(need.run);
    case 'plan':
      return planLines(state, need, columns);
    case 'accept':
      return [...(need.refusal === undefined ? [] : advice(need.run)), ...acceptLines(state, need, columns)];
    case 'trouble':
      return [...advice(need.owner), ...still];
    case 'parked':
      return [...advice(need.run), ...still];
    case 'budget':
      return paragraph('Nothing of it moves meanwhile, and nothing is lost. Twice as much is granted with M.', columns - 4, {first: '  '});
    case 'service-missing':
      return state.services.some(({spec}) => spec.name === need.service) ? [] : paragraph(`The service ${need.service} is not declared: name it in .orchestra/project.yaml, then start it here.`, columns - 4, {first: '  '});
    case 'uncertain-input':
      return paragraph('It may have been typed just when a process died. Nothing is typed twice by itself: look at the pane below, then answer.', columns - 4, {first: '  '});
    default:
      return [];
  }
}

function optionLines(options: readonly string[], {proof, asked, source}: Extract<Need, {readonly kind: 'question'}>, columns: number): Line[] {
  const why = asked !== undefined ? 'The agent asks you, and waits for your answer.' : source === 'agent' ? 'The agent itself says that it waits for you.' : source === 'screen' ? 'Its dialog stands on its screen. A number chooses in that very dialog, or does nothing.' : proof === 'proven' ? 'The kernel says that it waits for input.' : 'It seems to wait: it is silent and its last line looks like a question.';
  return [
    ...(options.length === 0 ? [[span(asked === undefined ? '  Enter writes an answer; i types straight into its pane.' : '  Enter writes an answer.')]] : answerLines(options, columns)),
    ...paragraph(why, columns - 4, {first: '  ', tone: 'quiet'}),
  ];
}

/** On one line where they are short, as `y` and `n` are; else one below the other. Each can be clicked. */
function answerLines(options: readonly string[], columns: number): Line[] {
  const row = options.flatMap((option, index) => button(String(index + 1), span(`  ${index + 1} `, 'accent'), span(option, 'strong')));
  if (widthOfLine(row) <= Math.min(columns - 2, 60)) return [row];
  return options.flatMap((option, index) => paragraph(option, columns - 6, {first: `  ${index + 1} `, tone: 'strong'}).map((line) => button(String(index + 1), ...line)));
}

/** Stop and explain: the three ways on, what failed, and what was tried. */
function stoppedLines(model: Model, state: State, need: Extract<Need, {kind: 'stopped'}>, columns: number): Line[] {
  const task = taskOf(state, need.task);
  const told = toldOf(model, need.task);
  return [
    heading('  Three ways on'),
    button('G', span('  G ', 'accent'), span('one more attempt, with your hint; what failed is told to the agent again')),
    button('T', span('  T ', 'accent'), span('take over: the same conversation and worktree, in your hands')),
    button('D', span('  D ', 'accent'), span('discard it; what was done is kept')),
    blank,
    ...failureLines(state, need, columns),
    ...(told === undefined ? [[span('  Reading what was tried …', 'quiet')]] : [...adviceLines(told, columns), ...explanationLines(told, columns)]),
    ...(task === undefined ? [] : [[span(`  ${task.planned.title}: ${task.attempts.length} of ${task.allowed} attempts are used`, 'quiet')]]),
  ];
}

/** What the sentence above does not say: the output of the check, the words of the rule, the lines that conflict. */
function failureLines(state: State, {task, why}: Extract<Need, {kind: 'stopped'}>, columns: number): Line[] {
  const quote = (text: string): Line[] => [...text.split('\n').slice(0, 14).flatMap((one) => paragraph(one, columns - 6, {first: '    ', tone: 'bad'})), blank];
  switch (why.kind) {
    case 'check':
      return [heading(`  What ${why.name} said first${why.on === 'merge' ? ', after merging' : ''}`), ...quote(why.firstFailure)];
    case 'rule': {
      const stage = runOf(state, runIdIn(task))?.stage;
      const rule = stage !== undefined && 'ground' in stage ? stage.ground.rules.rules.find(({number}) => number === why.number) : undefined;
      return rule === undefined ? [] : [heading(`  Rule ${why.number} says`), ...quote(`${rule.text}${rule.tooth === undefined ? '' : ` [${toothText(rule.tooth)}]`}`)];
    }

    case 'conflict':
      return why.hunks === undefined ? [] : [heading('  Where it conflicts'), ...quote(why.hunks)];
    case 'scope':
      return [heading('  Outside the plan'), ...quote(why.paths.join('\n'))];
    default:
      return [];
  }
}

function toldOf({answers: {explanation}}: Model, of: string): string | undefined {
  return explanation?.of === of && 'value' in explanation ? explanation.value.text : undefined;
}

/** What to look at before one of the keys is pressed: it stands between the head of the explanation and its first part. */
function adviceLines(text: string, columns: number): Line[] {
  const [head = ''] = text.split(/^(?=## )/m);
  const lines = head.split('\n').filter((one) => one.trim() !== '' && !one.startsWith('# ') && !one.startsWith('Task: '));
  return lines.length === 0 ? [] : [...lines.flatMap((one) => paragraph(one.replace(/^- /, '  '), columns - 4, {first: '  '})), blank];
}

/** The explanation without what the screen says itself: its head, the first failure, and the commands of the command line. */
function explanationLines(text: string, columns: number): Line[] {
  const parts = text.split(/^(?=## )/m).slice(1).filter((part) => !/^## (?:What (?:failed first|you can do)|Conflicts)/.test(part));
  return parts.flatMap((part) => part.trimEnd().split('\n').flatMap((one) => {
    if (one.startsWith('## ')) return [heading(`  ${one.slice(3)}`)];
    return one.startsWith('```') || one.trim() === '' ? [] : paragraph(one.replace(/^- /, ''), columns - 2, {first: one.startsWith('- ') ? '    - ' : '    '});
  }).concat([blank]));
}

function planLines(state: State, {run: id}: Extract<Need, {kind: 'plan'}>, columns: number): Line[] {
  const stage = runOf(state, id)?.stage;
  if (stage?.at !== 'reviewing') return [];
  const {plan} = stage.proposal;
  return [
    ...paragraph(plan.problem, columns - 4, {first: '  '}), blank,
    heading('  Tasks'),
    ...plan.tasks.flatMap(({id: name, title, after}) => paragraph(`${title}${after.length === 0 ? '' : ` (after ${after.join(', ')})`}`, columns - 8, {first: `  ${name}  `})),
  ];
}

function acceptLines(state: State, {run: id}: Extract<Need, {kind: 'accept'}>, columns: number): Line[] {
  const run = runOf(state, id);
  const into = run !== undefined && 'ground' in run.stage ? run.stage.ground.branch : null;
  return [
    ...(run?.tasks ?? []).flatMap(({planned, stage}) => paragraph(`${planned.title}: ${stage.at}`, columns - 10, {first: `  ${stage.at === 'merged' ? '✓' : '-'} ${planned.id}  `, tone: stage.at === 'merged' ? 'plain' : 'quiet'})),
    blank,
    [span(`  Every check was green after the last merge. A brings it into ${into ?? 'your checkout'}.`)],
  ];
}

