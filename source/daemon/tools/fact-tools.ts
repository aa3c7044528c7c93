import {formatEnvironment} from '../../prompts/index.ts';
import {formatPort, formatTaskStatus} from '../../reports/index.ts';
import {recallWithin} from '../../knowledge/index.ts';
import {
  ownerInServiceName,
  type Run,
  runIdOfSession,
  selectLiveSessions,
  selectRun,
  selectSession,
  type Session,
} from '../../domain/index.ts';
import {explainPort} from '../../system/index.ts';
import {readKnowledge, readPromptFacts} from '../launch/prompt-context.ts';
import {selectSessionPlace} from '../launch/task-launch.ts';
import {selectCheckout} from '../effects/task-place.ts';
import {selectRoots} from '../sessions/session-report.ts';
import {parseField, type Tool, type ToolContext} from './tool.ts';

/** The size of one answer; the files that it names have the rest. */
const maxTokens = 1500;

/** Tools that answer with current facts. */
export function factTools({context}: ToolContext): {
  readonly environment: Tool;
  readonly port: Tool;
  readonly recall: Tool;
  readonly task_status: Tool;
} {
  return {
    environment: async ({session}) => {
      const {run, worktree} = selectSessionPlace(context, session);
      const facts = await readPromptFacts(context, run, worktree, selectPlanned(run, session));
      return {text: formatEnvironment(facts, {now: context.now(), secrets: context.secrets()})};
    },

    port: async ({input}) => {
      const port = parseField(input, 'port', 'count');
      if (port === undefined || port < 1 || port > 65_535)
        throw new Error(`expected "port" from 1 to 65535, got ${port ?? 'nothing'}`);
      const answer = await explainPort(
        port,
        selectRoots(context, selectLiveSessions(context.state())),
        context.kernel,
      );
      const owner =
        answer.session === undefined ? undefined : selectSession(context.state(), answer.session);
      const whose = owner === undefined ? '' : `worktree  ${formatOwner(context.state, owner)}\n`;
      return {text: `${formatPort({...answer, stale: []}, context.now())}${whose}`};
    },

    recall: ({session, input}) => {
      const query = parseField(input, 'words', 'text') ?? '';
      const files = parseField(input, 'files', 'texts') ?? [];
      const run = runOfSession(context, session);
      const knowledge = readKnowledge(selectCheckout(context, run));
      if (query.trim() === '' && files.length === 0)
        throw new Error('expected "words" or "files" to look for, got neither');
      const {pieces, leftOut} = recallWithin(
        [
          ...(files.length === 0 ? [] : knowledge.byFiles(files)),
          ...(query.trim() === '' ? [] : knowledge.search(query)),
        ].slice(0, 10),
        maxTokens,
      );
      if (pieces.length === 0) return {text: 'No summary matches.'};
      return {
        text: [
          ...pieces.map(({path, text}) => `${path}\n${text.trim()}`),
          ...(leftOut.length === 0 ? [] : [`more: ${leftOut.join(', ')}`]),
        ].join('\n\n'),
      };
    },

    task_status: ({session}) => ({
      text: formatTaskStatus(context.state(), session, context.now()),
    }),
  };
}

function selectPlanned(run: Run, {purpose}: Session): Run['tasks'][number]['planned'] | undefined {
  return 'task' in purpose ? run.tasks.find(({id}) => id === purpose.task)?.planned : undefined;
}

function runOfSession(
  {state}: Pick<ToolContext['context'], 'state'>,
  session: Session,
): Run | undefined {
  const id = runIdOfSession(session);
  return id === undefined ? undefined : selectRun(state(), id);
}

function formatOwner(state: ToolContext['context']['state'], session: Session): string {
  const {purpose} = session;
  const owner = purpose.for === 'service' ? ownerInServiceName(purpose.service) : undefined;
  if (purpose.for === 'service' && owner !== undefined)
    return `that of ${owner} (service ${purpose.service})`;
  if (purpose.for === 'service') return `the repository itself (service ${purpose.service})`;
  return 'task' in purpose
    ? `that of ${purpose.task}`
    : (runOfSession({state}, session)?.id ?? 'none: a person started it');
}
