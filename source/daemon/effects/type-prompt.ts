import path from 'node:path';
import {existsSync} from 'node:fs';
import {selectSession, type SessionId} from '../../domain/index.ts';
import {bytesOrThrow, readRegularFile} from '../../files/index.ts';
import type {KeeperLink} from '../../keeper/index.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import {connectToKeeper} from '../sessions/keeper-link.ts';
import {textToType, typeAndConfirm, type TypingContext} from './type-text.ts';

/**
 * Types the prompt when the agent accepts one. A file records the start before the first key, so
 * that the prompt is typed at most once: a daemon that finds the file asks a person. The keeper does
 * not number this input, because a person's answer to a dialog may have to come first.
 */
export function typePrompt(context: TypingContext): EffectHandler {
  return async (effect, report, signal) => {
    if (effect.do !== 'type-prompt') return;
    const {session, input} = effect;
    const file = selectSession(context.state(), session)?.inputs.find(
      ({number}) => number === input,
    )?.prompt;
    const link = await connectToKeeper(context, session);
    if (link === undefined || file === undefined) throw new Error('its keeper is gone');
    const leave = (): void => {
      link.close();
    };
    signal.addEventListener('abort', leave);
    try {
      const onDraft = async (): Promise<void> => {
        await report({type: 'input-held', session, input});
      };
      const why = await typeFile(context, {session, input, file, onDraft}, link, signal);
      if (signal.aborted) return;
      await report(
        why === undefined
          ? {type: 'input-typed', session, input}
          : {type: 'input-uncertain', session, input, why},
      );
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  };
}

type PromptInput = {
  readonly session: SessionId;
  readonly input: number;
  readonly file: string;
  /** A person's unfinished text stands in the input. */
  readonly onDraft: () => Promise<void>;
};

/** Undefined if the prompt was accepted, else why it was not. */
async function typeFile(
  context: TypingContext,
  {session, input, file, onDraft}: PromptInput,
  link: KeeperLink,
  signal: AbortSignal,
): Promise<string | undefined> {
  const startFile = path.join(path.dirname(file), `begun-${input}`);
  if (existsSync(startFile))
    return 'the daemon exited while it typed the prompt; orchestra does not type it again by itself';
  const problem = await typeAndConfirm(
    context,
    {
      session,
      startFile,
      onHeld: async (why) => {
        if (why === 'draft') await onDraft();
      },
      readText: (takesPaste) =>
        textToType(
          bytesOrThrow(file, readRegularFile(file, {maxBytes: maxPromptBytes})).toString('utf8'),
          {file, takesPaste},
        ),
    },
    link,
    signal,
  );
  return problem?.why;
}

const maxPromptBytes = 16 * 1024 * 1024;
