import {
  type AgentReport,
  type AskedQuestion,
  type Plan,
  selectRun,
  selectSession,
  type SessionId,
  type State,
} from '../../domain/index.ts';
import {pauseFor} from '../engine/pacing.ts';
import {parseField, parseRequiredText, type Tool, type ToolContext} from './tool.ts';
import {parsePlan} from '../../plan/index.ts';
import {selectPlanContext} from '../launch/agents-here.ts';
import {redact} from '../../secrets/index.ts';
import type {SessionFiles} from '../daemon-context.ts';

const questionLimits = {question: 2000, options: 9, option: 200};
const checkEveryMs = 200;
const maxWaitMs = 600_000;

/**
 * Asks the person and waits for the answer. The same text is the same question, so it is safe to
 * ask again.
 */
export function askPerson({context, conductor, waitMs, signal}: ToolContext): Tool {
  return async ({session: {id}, input, waitMs: own = 0}) => {
    const question = parseRequiredText(input, 'question', questionLimits.question).trim();
    const options = parseField(input, 'options', 'texts')
      ?.map((option) => option.trim())
      .filter((option) => option !== '');
    if (
      options !== undefined &&
      (options.length > questionLimits.options ||
        options.some(({length}) => length > questionLimits.option))
    )
      throw new Error(
        `expected at most ${questionLimits.options} options of ${questionLimits.option} characters`,
      );
    const {refused} = await conductor.submit({
      type: 'report',
      at: context.now(),
      saw: {
        type: 'person-asked',
        session: id,
        question,
        ...(options === undefined || options.length === 0 ? {} : {options}),
      },
    });
    if (refused !== undefined) throw new Error(refused);
    const end = context.now() + Math.max(waitMs, Math.min(own, maxWaitMs));
    for (;;) {
      const asked = selectQuestion(context.state(), id, question);
      if (asked?.answer !== undefined) return {text: asked.answer.text};
      if (asked === undefined) throw new Error(`${id} has ended; its question is closed`);
      if (signal.aborted || context.now() >= end)
        return {
          text:
            'No answer yet: the person has the question and may be away. Ask again with ' +
            'the same words to keep waiting, or continue with something else.',
        };
      await pauseFor(checkEveryMs, signal);
    }
  };
}

function selectQuestion(state: State, id: SessionId, question: string): AskedQuestion | undefined {
  const session = selectSession(state, id);
  if (session === undefined || session.life.at === 'exited' || session.life.at === 'lost')
    return undefined;
  return session.questions?.find((asked) => asked.question === question);
}

const handInLimits = {planCharacters: 400_000, text: 2000, items: 20, listCharacters: 50_000};

/**
 * Tools to submit a plan or a report. Both are saved out of reach of agents and read when the
 * session has ended.
 */
export function handInTools({context, conductor}: Pick<ToolContext, 'context' | 'conductor'>): {
  readonly submit_plan: Tool;
  readonly report: Tool;
} {
  return {
    submit_plan: ({session, input}) => {
      const plan = parseField(input, 'plan', 'object', handInLimits.planCharacters);
      if (plan === undefined)
        throw new Error('expected "plan", an object with the fields of a plan, got nothing');
      const run =
        session.purpose.for === 'plan'
          ? selectRun(context.state(), session.purpose.run)
          : undefined;
      if (run === undefined) throw new Error('only the planner of a run hands in its plan');
      const {value, problems} = parsePlan(
        JSON.stringify(plan, null, 2),
        selectPlanContext(context, run),
      );
      const problemList = problems
        .slice(0, handInLimits.items)
        .map(({text}) => `- ${text}`)
        .join('\n');
      const before = readHandIn(context, session.id);
      const count = before.count + 1;
      context.store.writeNote(
        session.id,
        'tools-plan',
        value === undefined
          ? {...before, count, problems: problems.map(({text}) => text)}
          : {plan: value, number: count, count},
      );
      if (value === undefined)
        return {
          text: `The plan is not valid yet. Correct this and hand it in again:\n${problemList}`,
          isError: true,
        };
      return {
        text:
          `Accepted: ${value.tasks.length} ${value.tasks.length === 1 ? 'task' : 'tasks'}. ` +
          'A person reads it next; you are done, unless you want to hand in a better ' +
          `one.${problemList === '' ? '' : `\nWarnings:\n${problemList}`}`,
      };
    },

    report: async ({session, input}) => {
      const isDone = parseField(input, 'done', 'flag') === true;
      if (isDone)
        await conductor.submit({
          type: 'report',
          at: context.now(),
          saw: {type: 'done-reported', session: session.id},
        });
      const added = parseReportInput(input, context.secrets());
      const before = readHandedReport(context, session.id);
      const rootCause = added.rootCause ?? before.rootCause;
      const whole: AgentReport = {
        ...(rootCause === undefined ? {} : {rootCause}),
        decisions: [...new Set([...(before.decisions ?? []), ...(added.decisions ?? [])])].slice(
          0,
          handInLimits.items,
        ),
        rejected: [
          ...new Map(
            [...(before.rejected ?? []), ...(added.rejected ?? [])].map((one) => [
              one.alternative,
              one,
            ]),
          ).values(),
        ].slice(0, handInLimits.items),
      };
      context.store.writeNote(session.id, 'tools-report', whole);
      return {text: 'Noted.'};
    },
  };
}

/** What a planner submitted through its tool. */
export type HandIn = {
  /** The last plan that was valid, and which of the submissions it was. */
  readonly plan?: Plan;
  readonly number?: number;
  /** How often it submitted something. */
  readonly count: number;
  /** What is wrong with the last submission. */
  readonly problems?: readonly string[];
};

export function readHandIn({store}: SessionFiles, session: SessionId): HandIn {
  const note = (store.noteOf(session, 'tools-plan') ?? {}) as Partial<HandIn>;
  // Earlier releases did not count.
  return note.plan === undefined ? {count: 0, ...note} : {number: 1, count: 1, ...note};
}

/** The report that the agent of a session submitted through its tools. */
export function readHandedReport({store}: SessionFiles, session: SessionId): AgentReport {
  return store.noteOf(session, 'tools-report') ?? {};
}

function parseReportInput(
  input: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
): AgentReport {
  const plain = (text: string): string => redact(text, secrets).slice(0, handInLimits.text);
  const rootCause = parseField(input, 'rootCause', 'text');
  const decisions = parseField(input, 'decisions', 'texts', handInLimits.listCharacters)?.map(
    plain,
  );
  const rejected = parseField(input, 'rejected', 'objects', handInLimits.listCharacters)?.flatMap(
    (one) => {
      const what = parseField(one, 'what', 'text');
      return what === undefined
        ? []
        : [
            {
              alternative: plain(what),
              reason: plain(parseField(one, 'why', 'text') ?? 'no reason given'),
            },
          ];
    },
  );
  const isEmpty = rootCause === undefined && decisions === undefined && rejected === undefined;
  if (isEmpty && parseField(input, 'done', 'flag') === undefined)
    throw new Error('expected "rootCause", "decisions", "rejected" or "done", got none of them');
  return {
    ...(rootCause === undefined ? {} : {rootCause: plain(rootCause)}),
    ...(decisions === undefined ? {} : {decisions}),
    ...(rejected === undefined ? {} : {rejected}),
  };
}
