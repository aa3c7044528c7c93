import {errorText} from '../../shared/index.ts';
import {redact} from '../../secrets/index.ts';
import {
  type AgentRole,
  type AgentTool,
  agentTools,
  isAgentTool,
  isLive,
  selectLiveSessions,
  selectSession,
  type Session,
  type SessionId,
} from '../../domain/index.ts';
import type {Question, ToolAnswer} from '../../protocol/index.ts';
import {validateCommand} from '../server/schemas/commands.ts';
import {type Client, isSameToken, type Principal} from '../server/service.ts';
import {readToolsKey} from '../launch/exchange.ts';
import {askPerson, handInTools} from './reporting-tools.ts';
import {createCallBudget} from '../engine/pacing.ts';
import {factTools} from './fact-tools.ts';
import {serviceTools} from './service-tools.ts';
import {createShells} from './shell/create-shells.ts';
import type {Tool, ToolInvocation, ToolContext, ToolInput} from './tool.ts';

/** Authentication and answers at the agents' socket. */
export type ToolHandler = {
  readonly authenticate: (token: string) => Principal | undefined;
  readonly refusalOf: (about: string) => string | undefined;
  readonly answer: (question: Question, client: Client) => Promise<ToolAnswer>;
};

/** The longest input is a plan. An answer is read by a model and paid for by the token. */
const limits = {
  inputCharacters: 512 * 1024,
  textCharacters: 160,
  answerCharacters: 12_000,
  callName: 100,
  remembered: 16,
};

const toolsOnly = 'this socket accepts only tool calls';

/**
 * Answers tool calls only. The holder of a session's token counts as its agent while the session
 * lives.
 */
export function createToolHandler(toolContext: ToolContext): ToolHandler {
  const {context, conductor} = toolContext;
  const tools: Readonly<Record<AgentTool, Tool>> = {
    ...factTools(toolContext),
    ...serviceTools(toolContext),
    ...handInTools(toolContext),
    ask_person: askPerson(toolContext),
    shell: createShells(toolContext),
  };
  const budget = createCallBudget(context.now);
  // A repeated call with the same name gets the same answer, in case the first was lost.
  const named = new Map<string, Promise<ToolAnswer>>();

  const getAgent = (id: SessionId | undefined): Session => {
    const session = id === undefined ? undefined : selectSession(context.state(), id);
    if (session === undefined || selectRole(session) === undefined || !isLive(session))
      throw new Error(`${id ?? 'this session'} has ended; its tools are closed`);
    return session;
  };

  const runCall = async (
    session: Session,
    {tool, input: given, call, waitMs}: Extract<Question, {readonly about: 'tool'}>,
  ): Promise<ToolAnswer> => {
    const leave = budget.enter(session.id);
    if (typeof leave === 'string') return {text: leave, isError: true};
    const input = parseToolInput(given);
    const secrets = context.secrets();
    const answer = await callTool(tools, session, tool, {
      session,
      input,
      ...(typeof call === 'string' && {call}),
      ...(typeof waitMs === 'number' && {waitMs}),
    })
      .catch((error: unknown): ToolAnswer => ({
        text: errorText(error),
        isError: true,
      }))
      .finally(leave);
    const isError = answer.isError === true;
    const text = redact(formatInput(input), secrets).slice(0, limits.textCharacters);
    // Ignored if the session has ended or the disk is full: the agent still gets its answer.
    await conductor
      .submit({
        type: 'report',
        at: context.now(),
        saw: {
          type: 'tool-called',
          session: session.id,
          tool: formatToolName(tool),
          words: text,
          ...(isError && {isError}),
        },
      })
      .catch(() => undefined);
    return {
      text: redact(answer.text, secrets).slice(0, limits.answerCharacters),
      ...(isError && {isError}),
    };
  };

  return {
    authenticate: (token) => {
      const found = selectLiveSessions(context.state())
        .filter((session) => selectRole(session) !== undefined)
        .find(({id}) => isSameToken(token, readToolsKey(context.store, id) ?? ''));
      return found === undefined || token === '' ? undefined : {session: found.id};
    },

    // Commands are accepted as questions, so that the attempt is journaled.
    refusalOf: (about) => (about === 'tool' || about === 'wish' ? undefined : toolsOnly),

    answer: async (question, client) => {
      const session = getAgent(client.session);
      if (question.about === 'wish') return rejectCommand(toolContext, session, question.wish);
      if (question.about !== 'tool') throw new Error(toolsOnly);
      const {call} = question;
      if (typeof call !== 'string' || call === '' || call.length > limits.callName)
        return runCall(session, question);
      const name = `${session.id}/${call}`;
      const answer = named.get(name) ?? runCall(session, question);
      named.set(name, answer);
      const own = [...named.keys()].filter((other) => other.startsWith(`${session.id}/`));
      for (const old of own.slice(0, -limits.remembered)) named.delete(old);
      return answer;
    },
  };
}

/** Planners only read; workers and takeovers may do more. Other sessions have no tools. */
function selectRole({purpose}: Session): AgentRole | undefined {
  if (purpose.for === 'plan') return 'planner';
  return purpose.for === 'attempt' || purpose.for === 'takeover' ? 'worker' : undefined;
}

async function callTool(
  tools: Readonly<Record<AgentTool, Tool>>,
  session: Session,
  name: unknown,
  call: ToolInvocation,
): Promise<ToolAnswer> {
  const {length} = JSON.stringify(call.input);
  if (length > limits.inputCharacters)
    throw new Error(
      `expected at most ${limits.inputCharacters} characters, got ${length}. Shorten it.`,
    );
  const role = selectRole(session) ?? 'planner';
  const own = (Object.keys(agentTools) as AgentTool[]).filter((tool) =>
    (agentTools[tool] as readonly AgentRole[]).includes(role),
  );
  if (typeof name !== 'string' || !isAgentTool(name))
    throw new Error(`expected a tool (${own.join(', ')}), got ${formatToolName(name)}`);
  if (!own.includes(name))
    throw new Error(`${name} is not for a ${role}; you have ${own.join(', ')}`);
  return tools[name](call);
}

/** Journals and rejects an agent's attempt to give a person's command. */
async function rejectCommand(
  {context, conductor}: ToolContext,
  {id: session}: Session,
  command: unknown,
): Promise<never> {
  const checked = validateCommand(command);
  if (checked.type === 'add-note' || checked.type === 'start-service') throw new Error(toolsOnly);
  const {refused} = await conductor.submit({
    ...checked,
    at: context.now(),
    by: {kind: 'agent', session},
  });
  throw new Error(refused ?? 'only a person may');
}

/** The tool's name may be any value. */
function formatToolName(tool: unknown): string {
  return (typeof tool === 'string' ? tool : JSON.stringify(tool)).slice(0, 60);
}

function parseToolInput(given: unknown): ToolInput {
  if (given === undefined || given === null) return {};
  if (typeof given !== 'object' || Array.isArray(given)) return {input: given};
  return given as ToolInput;
}

/** A short version of the input for the journal. */
function formatInput(input: ToolInput): string {
  return Object.entries(input)
    .map(([name, value]) =>
      `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`
        .replaceAll(/\s+/g, ' ')
        .slice(0, 1000),
    )
    .join(', ')
    .slice(0, 4000);
}
