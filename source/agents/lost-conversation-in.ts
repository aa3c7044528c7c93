import {agents} from './agents.ts';

/**
 * The line in which an agent says that it has not the conversation that it was to go on with: it was ended before it kept it, or
 * somebody removed it. Nothing if it said anything else of length: then it has begun, whatever stands among its words.
 */
export function lostConversationIn(agent: string, output: string): string | undefined {
  const lost = agents.find(({name}) => name === agent)?.program?.lost;
  const lines = output
    .slice(0, mostCharacters + 1)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lost === undefined || output.length > mostCharacters || lines.length > mostLines)
    return undefined;
  return lines.find((line) => lost.test(line));
}

/** A few lines and no screen: warnings may stand beside it. */
const mostCharacters = 4000;
const mostLines = 12;
