import type {DeclaredAgent} from '../domain/index.ts';

/** An agent that a project declares: any program that takes a prompt. */
export type AgentSpec = DeclaredAgent;

export type AgentPatterns = NonNullable<DeclaredAgent['patterns']>;
