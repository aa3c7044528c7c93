import type {DeclaredAgent, ToolServer} from '../agent.ts';
import type {
  AgentModes,
  DeclaredCheck,
  Limits,
  LoopAnswer,
  NetworkRule,
  NetworkRules,
  Ports,
  Project,
  SandboxMode,
  SharedFolder,
  SignMode,
} from '../state.ts';
import {either, flag, listOf, namedBy, number, oneOf, optional, record, text} from './check.ts';
import {acceptWay, serviceSpec, texts, workerMode} from './records.ts';

const declaredAgent = record<DeclaredAgent>({
  name: text,
  plan: texts,
  work: texts,
  resume: optional(texts),
  takeover: optional(texts),
  model: optional(text),
  prompt: oneOf<DeclaredAgent['prompt']>({argument: true, file: true, stdin: true, typed: true}),
  patterns: optional(
    record<NonNullable<DeclaredAgent['patterns']>>({
      ready: optional(text),
      question: optional(text),
      conversation: optional(text),
      gaveUp: optional(text),
      unavailable: optional(text),
    }),
  ),
});

const limits = record<Limits>({
  workers: number,
  runs: number,
  attemptMinutes: optional(number),
  noProgressMinutes: optional(number),
  checkMinutes: optional(number),
  attemptTokens: optional(number),
  runTokens: optional(number),
  contextTokens: optional(number),
  toolResultTokens: optional(number),
  pauseSeconds: optional(number),
  pauseMinutes: optional(number),
  sameCalls: optional(number),
  sameFailures: optional(number),
  undoneEdits: optional(number),
  unchangedMinutes: optional(number),
  onLoop: optional(oneOf<LoopAnswer>({ask: true, stop: true})),
});

const networkRule = either(
  oneOf<'all' | 'none'>({all: true, none: true}),
  record<Exclude<NetworkRule, string>>({allow: texts}),
);

export const project = record<Project>({
  accept: optional(acceptWay),
  sign: optional(oneOf<SignMode>({accept: true, never: true})),
  network: optional(
    record<NetworkRules>({
      planner: optional(networkRule),
      workers: optional(networkRule),
      checks: optional(networkRule),
    }),
  ),
  setup: optional(text),
  plannerSetup: optional(flag),
  baseline: optional(flag),
  services: listOf(serviceSpec),
  limits,
  agents: optional(listOf(declaredAgent)),
  planner: optional(text),
  worker: optional(text),
  workers: optional(workerMode),
  planners: optional(workerMode),
  modes: optional(
    namedBy(record<AgentModes>({workers: optional(workerMode), planners: optional(workerMode)})),
  ),
  models: optional(namedBy(text)),
  fallback: optional(texts),
  copy: optional(texts),
  share: optional(
    listOf(
      either(
        text,
        record<Exclude<SharedFolder, string>>({
          path: text,
          by: oneOf<'hard-link'>({'hard-link': true}),
        }),
      ),
    ),
  ),
  ports: optional(record<Ports>({from: number, perTask: number})),
  sandbox: optional(oneOf<SandboxMode>({auto: true, required: true, off: true})),
  environment: optional(texts),
  branch: optional(text),
  checks: optional(listOf(record<DeclaredCheck>({name: text, report: texts}))),
  tools: optional(
    listOf(
      record<ToolServer>({
        name: text,
        command: optional(texts),
        environment: optional(texts),
        url: optional(text),
      }),
    ),
  ),
});
