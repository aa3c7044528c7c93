import {type AgentRole, type AgentTool, toolsOfRole} from '../domain/index.ts';

/** A tool as a model is told of it. */
export type ListedTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, object>>;
    readonly required?: string[];
  };
  readonly annotations: {readonly readOnlyHint: boolean};
};

/** What each role is told of; every word of it is in every prompt, so there are few. Without a role, all of them. */
export function listedTools(role?: AgentRole): ListedTool[] {
  const names = role === undefined ? (Object.keys(table) as AgentTool[]) : toolsOfRole(role);
  return names.map((name) => {
    const [description, properties, required = [], isReading = true] = table[name];
    return {
      name,
      description,
      inputSchema: {
        type: 'object',
        properties,
        ...(required.length > 0 && {required: [...required]}),
      },
      annotations: {readOnlyHint: isReading},
    };
  });
}

const text = {type: 'string'};
const texts = {type: 'array', items: text};
const service = {service: text};

type Row = readonly [
  description: string,
  properties: Readonly<Record<string, object>>,
  required?: readonly string[],
  isReading?: boolean,
];

const table: Readonly<Record<AgentTool, Row>> = {
  // It reads and keeps the plan, and changes nothing: a mode in which an agent may only read must allow it.
  submit_plan: [
    'Hand in the plan. Answers with problems to correct; then call it again. The last one counts.',
    {plan: {type: 'object', description: 'in the form that you were given'}},
    ['plan'],
  ],
  report: [
    'Say for later what only you know. Calls add up.',
    {
      rootCause: text,
      decisions: {...texts, description: 'what and why'},
      rejected: {
        type: 'array',
        items: {type: 'object', properties: {what: text, why: text}, required: ['what', 'why']},
      },
    },
    [],
    false,
  ],
  environment: [
    'What is so right now: worktree, services, ports, disk, other tasks; with source and age.',
    {},
  ],
  service_start: ['Start a declared service.', service, ['service'], false],
  service_stop: ['Stop a declared service.', service, ['service'], false],
  service_status: ['Whether a service is up and answers. Without a name: all.', service],
  service_logs: [
    'The last lines of a service.',
    {...service, lines: {type: 'integer'}},
    ['service'],
  ],
  port: ['Who listens on a port, and for whom.', {port: {type: 'integer'}}, ['port']],
  recall: ['What earlier tasks found out, by words or by files.', {words: text, files: texts}],
  ask_person: [
    'Ask the person and wait for the answer. Only for what you can neither find out nor decide. If told that there is none yet, ask again with the same words.',
    {question: text, options: texts},
    ['question'],
  ],
  task_status: ['Your task, its attempt and checks; the other tasks and their files.', {}],
  shell: [
    'Run a command in a shell that stays: directory, variables and what is loaded are there at the next call. An empty command waits on; "\\u0003" interrupts.',
    {
      command: text,
      name: {...text, description: 'one of several; default main'},
      program: {...text, description: 'python3, node, …; default bash'},
      timeoutSeconds: {type: 'integer'},
    },
    ['command'],
    false,
  ],
};
