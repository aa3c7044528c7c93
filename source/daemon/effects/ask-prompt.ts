import path from 'node:path';
import {selectAttempt, selectRun, runIdIn, selectSession, selectTask} from '../../domain/index.ts';
import {writeFileAtomic} from '../../files/index.ts';
import type {LaunchContext} from '../daemon-context.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import {getExchange} from '../launch/exchange.ts';
import {selectSessionPlace} from '../launch/task-launch.ts';
import {workerPrompt} from '../launch/worker-prompt.ts';

/** For display; the file has the whole prompt. */
const maxShownCharacters = 200;

/**
 * The prompt of a further attempt, for an agent that waits in its own interface. It gets only what
 * its conversation does not know.
 */
export function askNextPrompt(context: LaunchContext): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'ask-prompt') return;
    const state = context.state();
    const run = selectRun(state, runIdIn(effect.task));
    const session = selectSession(state, effect.session);
    const task = selectTask(state, effect.task);
    const attempt = task === undefined ? undefined : selectAttempt(task);
    if (run === undefined || session === undefined || task === undefined || attempt === undefined)
      throw new Error(`${effect.task} has no session ${effect.session}`);
    const {worktree} = selectSessionPlace(context, session);
    const prompt = await workerPrompt(context, run, worktree, {
      session,
      task,
      attempt,
      conversation: session.conversation,
      // The agent got the rules as a system prompt when it started.
      hasRulesApart: false,
    });
    const {directory, below} = getExchange(context, session.id);
    const file = path.join(directory, `prompt-${attempt.number}.md`);
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
