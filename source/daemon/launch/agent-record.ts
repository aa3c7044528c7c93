import path from 'node:path';
import type {ConversationRecord, Driver, InteractiveAgent} from '../../agents/index.ts';
import type {Usage} from '../../domain/index.ts';
import {makeDirectories, tryReadText, walkTree, writeFileAtomic} from '../../files/index.ts';
import type {RunVariables, UserAccount} from '../daemon-context.ts';

type Transcript = NonNullable<InteractiveAgent['transcript']>;

/** A conversation of the person's that a task continues. */
export type AdoptedConversation = {
  readonly conversation: string;
  /** Where the agent keeps its records, in the person's home. */
  readonly directory: string;
  /** The record as the agent needs it in the task's worktree; undefined if there is none. */
  readonly read: () => (ConversationRecord & {readonly usage: Usage | undefined}) | undefined;
};

const maxRecordBytes = 64 * 1024 * 1024;
const walk = {maxEntries: 5000, maxDepth: 6};

/** The agent's own record of a conversation, below the directory of its records. */
export function findRecord(
  {isRecordOf}: Transcript,
  directory: string,
  conversation: string,
): ConversationRecord | undefined {
  const found = walkTree(directory, walk).find(
    ({name, kind}) => kind === 'file' && isRecordOf(name, conversation),
  );
  if (found === undefined) return undefined;
  const text = tryReadText(path.join(directory, found.name), {
    maxBytes: maxRecordBytes,
    below: directory,
  });
  return text === undefined ? undefined : {path: found.name, text};
}

/** Undefined if the agent keeps no record that could be continued elsewhere. */
export function toAdopted(
  {home, env}: Pick<RunVariables, 'env'> & Pick<UserAccount, 'home'>,
  {interactive}: Driver,
  conversation: string,
  worktree: string,
): AdoptedConversation | undefined {
  const transcript = interactive?.transcript;
  if (transcript === undefined) return undefined;
  const directory = transcript.directory(home, env);
  return {
    conversation,
    directory,
    read: () => {
      const record = findRecord(transcript, directory, conversation);
      return record === undefined
        ? undefined
        : {...transcript.moveTo(record, worktree), usage: transcript.parse(record.text).usage};
    },
  };
}

/**
 * Copies the record into the task's own state, once. The note is written last, so a copy that a
 * crash cut short is made again. It also has the usage until then, which is the person's own.
 */
export function adoptConversation(
  state: string,
  own: string,
  stateDirectory: string,
  {conversation, directory, read}: AdoptedConversation,
): void {
  if (directory !== stateDirectory && !directory.startsWith(`${stateDirectory}/`)) return;
  if (readNote(state)?.conversation === conversation) return;
  const record = read();
  if (record === undefined) return;
  const to = path.join(own, path.relative(stateDirectory, directory), record.path);
  makeDirectories(path.dirname(to), {below: own});
  writeFileAtomic(to, record.text, {below: own});
  const {usage} = record;
  const note = {conversation, ...(usage !== undefined && {usage})};
  writeFileAtomic(path.join(state, noteName), `${JSON.stringify(note)}\n`, {below: state});
}

/** What the person had used in a conversation before a task continued it. */
export function readAdoptedUsage(state: string, conversation: string): Usage | undefined {
  const note = readNote(state);
  return note?.conversation === conversation ? note.usage : undefined;
}

type Note = {readonly conversation: string; readonly usage?: Usage};

const noteName = 'adopted.json';

/** Only the daemon writes it: agents do not see the directory that it is in. */
function readNote(state: string): Note | undefined {
  const text = tryReadText(path.join(state, noteName), {maxBytes: 4096, below: state});
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Note;
  } catch {
    return undefined;
  }
}
