export type PlanField = {
  /** `tasks[].id` */
  readonly path: string;
  readonly isRequired: boolean;
  readonly says: string;
  /** What stands in the example; a field that is better left out has none. */
  readonly example?: unknown;
};

/** What a planner is told about the plan, and nothing else tells it. The tests compare it with what is read. */
export const planFields: readonly PlanField[] = [
  {path: 'objective', isRequired: false, says: 'leave it out; it is filled in'},
  {
    path: 'problem',
    isRequired: true,
    says: 'the objective restated as a problem',
    example: 'Two requests refresh the token at once.',
  },
  {
    path: 'rootCause',
    isRequired: true,
    says: 'why it is so, with the place in the code',
    example: 'src/token.js keeps no refresh in flight.',
  },
  {
    path: 'assumptions',
    isRequired: false,
    says: 'what you took for granted',
    example: ['A token is valid until it expires.'],
  },
  {
    path: 'invariants',
    isRequired: false,
    says: 'what must still be true afterwards',
    example: ['getToken() keeps its signature.'],
  },
  {
    path: 'risks',
    isRequired: false,
    says: 'what could go wrong',
    example: ['A refresh that never settles blocks everybody.'],
  },
  {path: 'rejected', isRequired: false, says: 'other ways that you considered'},
  {path: 'rejected[].alternative', isRequired: true, says: 'the other way', example: 'A lock file'},
  {path: 'rejected[].reason', isRequired: true, says: 'why not', example: 'It survives a crash.'},
  {
    path: 'tasks',
    isRequired: true,
    says: 'as few as possible; each is done by one worker in its own worktree, tasks without "after" at the same time',
  },
  {path: 'tasks[].id', isRequired: true, says: 't1, t2, …', example: 't1'},
  {
    path: 'tasks[].title',
    isRequired: true,
    says: 'one line',
    example: 'Share the refresh in flight',
  },
  {
    path: 'tasks[].brief',
    isRequired: true,
    says: 'what to do, for somebody who knows nothing else',
    example: 'Keep the promise of the running refresh and return it to every caller.',
  },
  {
    path: 'tasks[].files',
    isRequired: true,
    says: 'paths or globs (*, **, ?, {a,b}) from the root that the task may change, and nothing else; no two tasks without "after" share one',
    example: ['src/token.js', 'test/token.test.js'],
  },
  {
    path: 'tasks[].after',
    isRequired: false,
    says: 'ids of earlier tasks whose result it builds on',
    example: [],
  },
  {
    path: 'tasks[].services',
    isRequired: false,
    says: 'names of services that it needs',
    example: ['web'],
  },
  {path: 'tasks[].skill', isRequired: false, says: 'the name of a skill to follow'},
  {
    path: 'tasks[].tools',
    isRequired: false,
    says: 'names of servers of tools that it needs; leave it out if none is named below',
  },
  {
    path: 'validation',
    isRequired: false,
    says: 'exact commands that prove the result, beside those of the rules',
  },
  {
    path: 'validation[].name',
    isRequired: true,
    says: 'small letters, digits and "-"',
    example: 'test',
  },
  {
    path: 'validation[].command',
    isRequired: true,
    says: 'one line for a shell',
    example: 'npm test',
  },
];

/** The fields one to a line, and an example. It is not fenced: a planner that only prints its prompt has not made a plan. */
export function describePlanFields(): string {
  const lines = planFields.map(
    ({path, isRequired, says}) => `- ${path} (${isRequired ? 'required' : 'optional'}): ${says}`,
  );
  const example = Object.entries(examplePlan()).map(
    ([name, value]) => `      ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `${lines.join('\n')}\n\nIts form, with somebody else's plan in it:\n\n    {\n${example.join(',\n')}\n    }`;
}

/** A whole plan made from the table. */
export function examplePlan(): Record<string, unknown> {
  const plan: Record<string, unknown> = {};
  for (const {path, example} of planFields) {
    if (example === undefined) continue;
    const [outer = '', inner] = path.split('[].');
    const members = plan[outer] as [object] | undefined;
    plan[outer] = inner === undefined ? example : [{...members?.[0], [inner]: example}];
  }

  return plan;
}
