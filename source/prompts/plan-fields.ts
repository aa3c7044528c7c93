type PromptField = {
  /** `tasks[].id` */
  readonly path: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** The value in the example plan; undefined for a field that is better left out. */
  readonly example?: unknown;
};

/** All that a planner learns about the form of a plan. A test compares it with the schema. */
export const planFields: readonly PromptField[] = [
  {path: 'objective', isRequired: false, description: 'leave it out; it is filled in'},
  {
    path: 'problem',
    isRequired: true,
    description: 'the objective restated as a problem',
    example: 'Two requests refresh the token at once.',
  },
  {
    path: 'rootCause',
    isRequired: true,
    description: 'why it is so, with the place in the code',
    example: 'src/token.js keeps no refresh in flight.',
  },
  {
    path: 'assumptions',
    isRequired: false,
    description: 'what you took for granted',
    example: ['A token is valid until it expires.'],
  },
  {
    path: 'invariants',
    isRequired: false,
    description: 'what must still be true afterwards',
    example: ['getToken() keeps its signature.'],
  },
  {
    path: 'risks',
    isRequired: false,
    description: 'what could go wrong',
    example: ['A refresh that never settles blocks everybody.'],
  },
  {path: 'rejected', isRequired: false, description: 'other ways that you considered'},
  {
    path: 'rejected[].alternative',
    isRequired: true,
    description: 'the other way',
    example: 'A lock file',
  },
  {
    path: 'rejected[].reason',
    isRequired: true,
    description: 'why not',
    example: 'It survives a crash.',
  },
  {
    path: 'tasks',
    isRequired: true,
    description:
      'as few as possible; each is done by one worker in its own worktree, tasks without "after" at the same time',
  },
  {path: 'tasks[].id', isRequired: true, description: 't1, t2, …', example: 't1'},
  {
    path: 'tasks[].title',
    isRequired: true,
    description: 'one line',
    example: 'Share the refresh in flight',
  },
  {
    path: 'tasks[].brief',
    isRequired: true,
    description: 'what to do, for somebody who knows nothing else',
    example: 'Keep the promise of the running refresh and return it to every caller.',
  },
  {
    path: 'tasks[].files',
    isRequired: true,
    description:
      'paths or globs (*, **, ?, {a,b}) from the root that the task may change, and nothing else; no two tasks without "after" share one',
    example: ['src/token.js', 'test/token.test.js'],
  },
  {
    path: 'tasks[].after',
    isRequired: false,
    description: 'ids of earlier tasks whose result it builds on',
    example: [],
  },
  {
    path: 'tasks[].variantOf',
    isRequired: false,
    description:
      'the id of an earlier task of which this is another try, alike but for its agent; leave it out unless a person asked for variants',
  },
  {
    path: 'tasks[].services',
    isRequired: false,
    description: 'names of services that it needs',
    example: ['web'],
  },
  {path: 'tasks[].skill', isRequired: false, description: 'the name of a skill to follow'},
  {
    path: 'tasks[].tools',
    isRequired: false,
    description: 'names of the tool servers that it needs; leave it out if none is named below',
  },
  {
    path: 'tasks[].agent',
    isRequired: false,
    description: 'the agent that works on it; leave it out unless it says below when to name one',
  },
  {
    path: 'tasks[].model',
    isRequired: false,
    description: "the model of its agent, by the agent's own name for it; the same holds",
  },
  {
    path: 'validation',
    isRequired: false,
    description: 'exact commands that prove the result, beside those of the rules',
  },
  {
    path: 'validation[].name',
    isRequired: true,
    description: 'small letters, digits and "-"',
    example: 'test',
  },
  {
    path: 'validation[].command',
    isRequired: true,
    description: 'one line for a shell',
    example: 'npm test',
  },
];

/**
 * The fields, one to a line, and an example. It is not fenced, so that a planner that prints its
 * prompt does not seem to submit a plan.
 */
export function describePlanFields(): string {
  const lines = planFields.map(
    ({path, isRequired, description}) =>
      `- ${path} (${isRequired ? 'required' : 'optional'}): ${description}`,
  );
  const example = Object.entries(examplePlan()).map(
    ([name, value]) => `      ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `${lines.join('\n')}\n\nIts form, with somebody else's plan in it:\n\n    {\n${example.join(',\n')}\n    }`;
}

/** The example plan, built from the table. */
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
