import {readPlan, redact, type AgentReport} from '../../documents/index.ts';
import {runOf, type Plan, type SessionId} from '../../domain/index.ts';
import type {Workshop} from '../workshop.ts';
import {fieldOf} from './read-input.ts';
import type {Tool, ToolShop} from './tool.ts';

const limits = {planCharacters: 400_000, words: 2000, items: 20, listCharacters: 50_000};

/** What an agent hands in. It is kept where no agent can reach it, and read when its session has ended. */
export function handInTools({workshop}: ToolShop): {
  readonly submit_plan: Tool;
  readonly report: Tool;
} {
  return {
    submit_plan: ({session, input}) => {
      const plan = fieldOf(input, 'plan', 'object', limits.planCharacters);
      if (plan === undefined)
        throw new Error('expected "plan", an object with the fields of a plan, got nothing');
      const run =
        session.purpose.for === 'plan' ? runOf(workshop.state(), session.purpose.run) : undefined;
      if (run === undefined) throw new Error('only the planner of a run hands in its plan');
      const {value, problems} = readPlan(JSON.stringify(plan, null, 2), {
        objective: run.request.objective,
        tools: (workshop.state().project.tools ?? []).map(({name}) => name),
      });
      const words = problems
        .slice(0, limits.items)
        .map(({text}) => `- ${text}`)
        .join('\n');
      if (value === undefined)
        return {
          text: `The plan is not valid yet. Correct this and hand it in again:\n${words}`,
          isError: true,
        };
      workshop.store.writeNote(session.id, 'tools-plan', {plan: value});
      return {
        text: `Taken: ${value.tasks.length} ${value.tasks.length === 1 ? 'task' : 'tasks'}. A person reads it next; you are done, unless you want to hand in a better one.${words === '' ? '' : `\nNot wrong, but look at it:\n${words}`}`,
      };
    },

    report: ({session, input}) => {
      const said = reportIn(input, workshop.secrets());
      const before = handedReportOf(workshop, session.id);
      const rootCause = said.rootCause ?? before.rootCause;
      const whole: AgentReport = {
        ...(rootCause === undefined ? {} : {rootCause}),
        decisions: [...new Set([...(before.decisions ?? []), ...(said.decisions ?? [])])].slice(
          0,
          limits.items,
        ),
        rejected: [
          ...new Map(
            [...(before.rejected ?? []), ...(said.rejected ?? [])].map((one) => [
              one.alternative,
              one,
            ]),
          ).values(),
        ].slice(0, limits.items),
      };
      workshop.store.writeNote(session.id, 'tools-report', whole);
      return {text: 'Noted.'};
    },
  };
}

/** The plan that the planner handed in last, if it did. It was valid then. */
export function handedPlanOf(
  {store}: Pick<Workshop, 'store'>,
  session: SessionId,
): Plan | undefined {
  const {plan} = (store.noteOf(session, 'tools-plan') ?? {}) as {readonly plan?: Plan};
  return plan;
}

/** What the agent of a session said about its work, through its tools. */
export function handedReportOf({store}: Pick<Workshop, 'store'>, session: SessionId): AgentReport {
  return store.noteOf(session, 'tools-report') ?? {};
}

function reportIn(
  input: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
): AgentReport {
  const plain = (text: string): string => redact(text, secrets).slice(0, limits.words);
  const rootCause = fieldOf(input, 'rootCause', 'text');
  const decisions = fieldOf(input, 'decisions', 'texts', limits.listCharacters)?.map(plain);
  const rejected = fieldOf(input, 'rejected', 'objects', limits.listCharacters)?.flatMap((one) => {
    const what = fieldOf(one, 'what', 'text');
    return what === undefined
      ? []
      : [
          {
            alternative: plain(what),
            reason: plain(fieldOf(one, 'why', 'text') ?? 'no reason given'),
          },
        ];
  });
  if (rootCause === undefined && decisions === undefined && rejected === undefined)
    throw new Error('expected "rootCause", "decisions" or "rejected", got none of them');
  return {
    ...(rootCause === undefined ? {} : {rootCause: plain(rootCause)}),
    ...(decisions === undefined ? {} : {decisions}),
    ...(rejected === undefined ? {} : {rejected}),
  };
}
