import {redact} from '../../documents/index.ts';
import {
  agentTools,
  isAgentTool,
  isLive,
  liveSessionsOf,
  sessionOf,
  type AgentRole,
  type AgentTool,
  type Session,
  type SessionId,
} from '../../domain/index.ts';
import type {Question, ToolAnswer} from '../../protocol/index.ts';
import {checkWish} from '../check-wish.ts';
import {isSameToken} from '../is-same-token.ts';
import {toolsKeyOf} from '../launch/tools-grant.ts';
import type {Client, Guest} from '../serve.ts';
import {askPerson} from './ask-person.ts';
import {createCallBudget} from './create-call-budget.ts';
import {factTools} from './fact-tools.ts';
import {handInTools} from './hand-in-tools.ts';
import {serviceTools} from './service-tools.ts';
import {createShells} from './shell/create-shells.ts';
import type {Tool, ToolCall, ToolInput, ToolShop} from './tool.ts';

/** Who is admitted at the agents' socket, and what is answered there. */
export type ToolAnswers = {
  readonly admit: (token: string) => Guest | undefined;
  readonly refusalOf: (about: string) => string | undefined;
  readonly answer: (question: Question, client: Client) => Promise<ToolAnswer>;
};

/** A plan is the longest thing that an agent says; an answer is read by a model, and paid for by the word. */
const limits = {
  inputCharacters: 512 * 1024,
  wordsCharacters: 160,
  answerCharacters: 12_000,
  callName: 100,
  remembered: 16,
};

const toolsAlone = 'this socket takes calls of tools and nothing else';

/** Takes calls of tools and nothing else. Whoever holds a session's key is that session's agent, as long as it lives. */
export function createToolAnswers(shop: ToolShop): ToolAnswers {
  const {workshop, conductor} = shop;
  const tools: Readonly<Record<AgentTool, Tool>> = {
    ...factTools(shop),
    ...serviceTools(shop),
    ...handInTools(shop),
    ask_person: askPerson(shop),
    shell: createShells(shop),
  };
  const budget = createCallBudget(workshop.now);
  // What was asked by a name is answered by that name, also if the first answer found nobody to take it.
  const named = new Map<string, Promise<ToolAnswer>>();

  const agentOf = (id: SessionId | undefined): Session => {
    const session = id === undefined ? undefined : sessionOf(workshop.state(), id);
    if (session === undefined || roleOf(session) === undefined || !isLive(session))
      throw new Error(`${id ?? 'this session'} has ended; its tools with it`);
    return session;
  };

  const carryOut = async (
    session: Session,
    {tool, input: given, call, waitMs}: Extract<Question, {readonly about: 'tool'}>,
  ): Promise<ToolAnswer> => {
    const leave = budget.enter(session.id);
    if (typeof leave === 'string') return {text: leave, isError: true};
    const input = inputOf(given);
    const secrets = workshop.secrets();
    const answer = await perform(tools, session, tool, {
      session,
      input,
      ...(typeof call === 'string' && {call}),
      ...(typeof waitMs === 'number' && {waitMs}),
    })
      .catch((error: unknown): ToolAnswer => ({
        text: error instanceof Error ? error.message : String(error),
        isError: true,
      }))
      .finally(leave);
    const isError = answer.isError === true;
    const words = redact(wordsOf(input), secrets).slice(0, limits.wordsCharacters);
    // What ended meanwhile is known no longer; a full disk keeps nobody from an answer.
    await conductor
      .submit({
        type: 'report',
        at: workshop.now(),
        saw: {
          type: 'tool-called',
          session: session.id,
          tool: shownName(tool),
          words,
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
    admit: (token) => {
      const found = liveSessionsOf(workshop.state())
        .filter((session) => roleOf(session) !== undefined)
        .find(({id}) => isSameToken(token, toolsKeyOf(workshop.store, id) ?? ''));
      return found === undefined || token === '' ? undefined : {session: found.id};
    },

    // Whoever wishes here is named, so wishes are heard.
    refusalOf: (about) => (about === 'tool' || about === 'wish' ? undefined : toolsAlone),

    answer: async (question, client) => {
      const session = agentOf(client.session);
      if (question.about === 'wish') return refuseWish(shop, session, question.wish);
      if (question.about !== 'tool') throw new Error(toolsAlone);
      const {call} = question;
      if (typeof call !== 'string' || call === '' || call.length > limits.callName)
        return carryOut(session, question);
      const name = `${session.id}/${call}`;
      const answer = named.get(name) ?? carryOut(session, question);
      named.set(name, answer);
      const own = [...named.keys()].filter((other) => other.startsWith(`${session.id}/`));
      for (const old of own.slice(0, -limits.remembered)) named.delete(old);
      return answer;
    },
  };
}

/** Who plans only reads; who works, or goes on in a person's hands, may more. Nobody else has tools. */
function roleOf({purpose}: Session): AgentRole | undefined {
  if (purpose.for === 'plan') return 'planner';
  return purpose.for === 'attempt' || purpose.for === 'takeover' ? 'worker' : undefined;
}

async function perform(
  tools: Readonly<Record<AgentTool, Tool>>,
  session: Session,
  name: unknown,
  call: ToolCall,
): Promise<ToolAnswer> {
  const {length} = JSON.stringify(call.input);
  if (length > limits.inputCharacters)
    throw new Error(
      `expected at most ${limits.inputCharacters} characters, got ${length}. Say it shorter.`,
    );
  const role = roleOf(session) ?? 'planner';
  const own = (Object.keys(agentTools) as AgentTool[]).filter((tool) =>
    (agentTools[tool] as readonly AgentRole[]).includes(role),
  );
  if (typeof name !== 'string' || !isAgentTool(name))
    throw new Error(`expected a tool (${own.join(', ')}), got ${shownName(name)}`);
  if (!own.includes(name))
    throw new Error(`${name} is not for a ${role}; you have ${own.join(', ')}`);
  return tools[name](call);
}

/** An agent that asks for what is a person's alone is written down, whichever way it takes. */
async function refuseWish(
  {workshop, conductor}: ToolShop,
  {id: session}: Session,
  wish: unknown,
): Promise<never> {
  const checked = checkWish(wish);
  if (checked.type === 'add-note' || checked.type === 'start-service') throw new Error(toolsAlone);
  const {refused} = await conductor.submit({
    ...checked,
    at: workshop.now(),
    by: {kind: 'agent', session},
  });
  throw new Error(refused ?? 'only a person may');
}

/** Anything may come from an agent. */
function shownName(tool: unknown): string {
  return (typeof tool === 'string' ? tool : JSON.stringify(tool)).slice(0, 60);
}

function inputOf(given: unknown): ToolInput {
  if (given === undefined || given === null) return {};
  if (typeof given !== 'object' || Array.isArray(given)) return {input: given};
  return given as ToolInput;
}

/** A short account of what was given, for the journal. */
function wordsOf(input: ToolInput): string {
  return Object.entries(input)
    .map(([name, value]) =>
      `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`
        .replaceAll(/\s+/g, ' ')
        .slice(0, 1000),
    )
    .join(', ')
    .slice(0, 4000);
}
