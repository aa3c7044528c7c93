import {
  formatEnvironment,
  formatPort,
  formatTaskStatus,
  recallWithin,
} from '../../documents/index.ts';
import {
  liveSessionsOf,
  ownerInServiceName,
  runIdOfSession,
  runOf,
  sessionOf,
  type Run,
  type Session,
} from '../../domain/index.ts';
import {explainPort} from '../../machine/index.ts';
import {contextFactsOf} from '../launch/context.ts';
import {readKnowledge} from '../launch/knowledge.ts';
import {placeOf} from '../launch/task-launch.ts';
import {checkoutOf} from '../perform/task-of-effect.ts';
import {rootsOf} from '../session-report.ts';
import {fieldOf} from './read-input.ts';
import type {Tool, ToolShop} from './tool.ts';

/** Of one answer; the rest is in the files that it names. */
const mostTokens = 1500;

/** What is so, read at the moment of asking. */
export function factTools({workshop}: ToolShop): {
  readonly environment: Tool;
  readonly port: Tool;
  readonly recall: Tool;
  readonly task_status: Tool;
} {
  return {
    environment: async ({session}) => {
      const {run, worktree} = placeOf(workshop, session);
      const facts = await contextFactsOf(workshop, run, worktree, plannedOf(run, session));
      return {text: formatEnvironment(facts, {now: workshop.now(), secrets: workshop.secrets()})};
    },

    port: async ({input}) => {
      const port = fieldOf(input, 'port', 'count');
      if (port === undefined || port < 1 || port > 65_535)
        throw new Error(`expected "port" from 1 to 65535, got ${port ?? 'nothing'}`);
      const answer = await explainPort(
        port,
        rootsOf(workshop, liveSessionsOf(workshop.state())),
        workshop.kernel,
      );
      const owner =
        answer.session === undefined ? undefined : sessionOf(workshop.state(), answer.session);
      const whose = owner === undefined ? '' : `worktree  ${ownerWords(workshop.state, owner)}\n`;
      return {text: `${formatPort({...answer, stale: []}, workshop.now())}${whose}`};
    },

    recall: ({session, input}) => {
      const words = fieldOf(input, 'words', 'text') ?? '';
      const files = fieldOf(input, 'files', 'texts') ?? [];
      const run = runOfSession(workshop, session);
      const knowledge = readKnowledge(checkoutOf(workshop, run));
      if (words.trim() === '' && files.length === 0)
        throw new Error('expected "words" or "files" to look for, got neither');
      const {pieces, leftOut} = recallWithin(
        [
          ...(files.length === 0 ? [] : knowledge.byFiles(files)),
          ...(words.trim() === '' ? [] : knowledge.search(words)),
        ].slice(0, 10),
        mostTokens,
      );
      if (pieces.length === 0) return {text: 'Nothing is known about that.'};
      return {
        text: [
          ...pieces.map(({path, text}) => `${path}\n${text.trim()}`),
          ...(leftOut.length === 0 ? [] : [`more: ${leftOut.join(', ')}`]),
        ].join('\n\n'),
      };
    },

    task_status: ({session}) => ({
      text: formatTaskStatus(workshop.state(), session, workshop.now()),
    }),
  };
}

function plannedOf(run: Run, {purpose}: Session): Run['tasks'][number]['planned'] | undefined {
  return 'task' in purpose ? run.tasks.find(({id}) => id === purpose.task)?.planned : undefined;
}

function runOfSession(
  {state}: Pick<ToolShop['workshop'], 'state'>,
  session: Session,
): Run | undefined {
  const id = runIdOfSession(session);
  return id === undefined ? undefined : runOf(state(), id);
}

function ownerWords(state: ToolShop['workshop']['state'], session: Session): string {
  const {purpose} = session;
  const owner = purpose.for === 'service' ? ownerInServiceName(purpose.service) : undefined;
  if (purpose.for === 'service' && owner !== undefined)
    return `that of ${owner} (service ${purpose.service})`;
  if (purpose.for === 'service') return `the repository itself (service ${purpose.service})`;
  return 'task' in purpose
    ? `that of ${purpose.task}`
    : (runOfSession({state}, session)?.id ?? 'none: a person started it');
}
