/** Whom an agent is started as: one that plans and writes nothing, or one that works on a task. */
export type AgentRole = 'planner' | 'worker';

/** What an agent may ask of orchestra, and in which role. The names are public: agents call them. */
export const agentTools = {
  submit_plan: ['planner'],
  report: ['worker'],
  environment: ['planner', 'worker'],
  service_start: ['worker'],
  service_stop: ['worker'],
  service_status: ['planner', 'worker'],
  service_logs: ['planner', 'worker'],
  port: ['planner', 'worker'],
  recall: ['planner', 'worker'],
  ask_person: ['planner', 'worker'],
  task_status: ['planner', 'worker'],
  shell: ['worker'],
} as const satisfies Readonly<Record<string, readonly AgentRole[]>>;

export type AgentTool = keyof typeof agentTools;

export function isAgentTool(name: string): name is AgentTool {
  return Object.hasOwn(agentTools, name);
}

export function toolsOfRole(role: AgentRole): AgentTool[] {
  return (Object.keys(agentTools) as AgentTool[]).filter((tool) =>
    (agentTools[tool] as readonly AgentRole[]).includes(role),
  );
}
