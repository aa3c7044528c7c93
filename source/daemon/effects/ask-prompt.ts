import path from 'node:path';
import {
  selectAttempt,
  selectRun,
  selectSession,
  selectTask,
  type Run,
  type Session,
} from '../../domain/index.ts';
import {writeFileAtomic} from '../../files/index.ts';
import type {
  DaemonDirectory,
  DaemonLog,
  JournalReader,
  PromptSources,
  RunVariables,
} from '../daemon-context.ts';
import type {Prompt} from '../../prompts/index.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import {getExchange} from '../launch/exchange.ts';
import {plannerPrompt} from '../launch/prompts.ts';
import {selectSessionPlace} from '../launch/task-launch.ts';
import {workerPrompt} from '../launch/worker-prompt.ts';

/** For display; the file has the whole prompt. */
const maxShownCharacters = 200;

type AskContext = PromptSources & DaemonDirectory & DaemonLog & JournalReader & RunVariables;

/**
 * The prompt of a further attempt or planning round, for an agent that waits in its own interface.
 * It gets only what its conversation does not know.
 */
export function askNextPrompt(context: AskContext): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'ask-prompt') return;
    const run = selectRun(context.state(), effect.run);
    const session = selectSession(context.state(), effect.session);
    if (run === undefined || session === undefined)
      throw new Error(`${effect.run} has no session ${effect.session}`);
    const {prompt, name} = await composeNextPrompt(context, run, session);
    const {directory, below} = getExchange(context, session.id);
    const file = path.join(directory, `prompt-${name}.md`);
    writeFileAtomic(file, prompt.text, {below});
    await report({
      type: 'input-asked',
      session: session.id,
      input: session.inputs.length + 1,
      text: prompt.text.slice(0, maxShownCharacters),
      prompt: file,
    });
  };
}

async function composeNextPrompt(
  context: AskContext,
  run: Run,
  session: Session,
): Promise<{readonly prompt: Prompt; readonly name: string}> {
  const {worktree} = selectSessionPlace(context, session);
  const {purpose, conversation} = session;
  // The agent got the rules as a system prompt when it started.
  const hasRulesApart = false;
  if (purpose.for === 'plan')
    return {
      prompt: await plannerPrompt(context, run, worktree, {session, conversation, hasRulesApart}),
      name: `plan-${purpose.round}-${purpose.asking}`,
    };
  const task = purpose.for === 'attempt' ? selectTask(context.state(), purpose.task) : undefined;
  const attempt = task === undefined ? undefined : selectAttempt(task);
  if (task === undefined || attempt === undefined)
    throw new Error(`${session.id} works on no attempt`);
  return {
    prompt: await workerPrompt(context, run, worktree, {
      session,
      task,
      attempt,
      conversation,
      hasRulesApart,
    }),
    name: String(attempt.number),
  };
}
