import {sessionOf, type AskedQuestion, type SessionId, type State} from '../../domain/index.ts';
import {pauseFor} from '../pause-for.ts';
import {fieldOf, textOf} from './read-input.ts';
import type {Tool, ToolShop} from './tool.ts';

const limits = {question: 2000, options: 9, option: 200};
const lookEveryMs = 200;
const mostWaitMs = 600_000;

/** Puts a question to the person and waits for the answer. The same words are the same question, so that asking again is safe. */
export function askPerson({workshop, conductor, waitMs, signal}: ToolShop): Tool {
  return async ({session: {id}, input, waitMs: own = 0}) => {
    const question = textOf(input, 'question', limits.question).trim();
    const options = fieldOf(input, 'options', 'texts')
      ?.map((option) => option.trim())
      .filter((option) => option !== '');
    if (
      options !== undefined &&
      (options.length > limits.options || options.some(({length}) => length > limits.option))
    )
      throw new Error(`expected at most ${limits.options} options of ${limits.option} characters`);
    const {refused} = await conductor.submit({
      type: 'report',
      at: workshop.now(),
      saw: {
        type: 'person-asked',
        session: id,
        question,
        ...(options === undefined || options.length === 0 ? {} : {options}),
      },
    });
    if (refused !== undefined) throw new Error(refused);
    const end = workshop.now() + Math.max(waitMs, Math.min(own, mostWaitMs));
    for (;;) {
      const asked = questionOf(workshop.state(), id, question);
      if (asked?.answer !== undefined) return {text: asked.answer.text};
      if (asked === undefined) throw new Error(`${id} has ended; its question is closed`);
      if (signal.aborted || workshop.now() >= end)
        return {
          text: 'No answer yet: the person has the question and may be away. Ask again with the same words to wait further, or go on with something else meanwhile.',
        };
      await pauseFor(lookEveryMs, signal);
    }
  };
}

function questionOf(state: State, id: SessionId, question: string): AskedQuestion | undefined {
  const session = sessionOf(state, id);
  if (session === undefined || session.life.at === 'exited' || session.life.at === 'lost')
    return undefined;
  return session.questions?.find((asked) => asked.question === question);
}
