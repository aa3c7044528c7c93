/**
 * Claude's own state with what it asks at its first start answered, for one worktree and no other: its first-start questions, the key
 * of the environment, and that the folder is trusted. Not what a repository brings: servers of its `.mcp.json` are still asked about.
 */
export function answeredForClaude(
  text: string | undefined,
  worktrees: readonly string[],
  key: string | undefined,
): string {
  const state = fieldsIn(text);
  const projects = fieldsOf(state['projects']);
  const responses = fieldsOf(state['customApiKeyResponses']);
  const [approved, rejected] = [namesIn(responses['approved']), namesIn(responses['rejected'])];
  const end = key?.slice(-20);
  const isAsked =
    end !== undefined && end !== '' && !approved.includes(end) && !rejected.includes(end);
  return JSON.stringify({
    ...state,
    hasCompletedOnboarding: true,
    theme: typeof state['theme'] === 'string' ? state['theme'] : 'dark',
    ...(isAsked && {customApiKeyResponses: {...responses, approved: [...approved, end], rejected}}),
    // What a person does elsewhere is no business of this task's agent.
    projects: Object.fromEntries(
      worktrees.map((worktree) => [
        worktree,
        {
          ...(Object.hasOwn(projects, worktree) ? fieldsOf(projects[worktree]) : {}),
          hasTrustDialogAccepted: true,
        },
      ]),
    ),
  });
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsIn(text: string | undefined): Fields {
  try {
    return fieldsOf(JSON.parse(text ?? '{}'));
  } catch {
    return {};
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}
