import {isSessionId, sessionOf, taskIdOfSession, type State} from '../../domain/index.ts';

/** What a session asks, told as its task's question: `r1.t2 asks …` says more to a person than `s9 asks …`. */
export function inTaskWords(words: string, state: State): string {
  return words.replace(/^s\d+\b/, (id) => {
    const session = isSessionId(id) ? sessionOf(state, id) : undefined;
    return (session && taskIdOfSession(session)) ?? id;
  });
}
