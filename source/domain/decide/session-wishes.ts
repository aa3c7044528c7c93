import {serviceOf, sessionOf, taskIdOfSession} from '../select/find.ts';
import {isStartedTooOften, tooManyStarts} from '../select/service-starts.ts';
import {isWantedInstance} from '../select/task-services.ts';
import {isLive} from '../session.ts';
import type {State} from '../state.ts';
import {type Answer, refuse, type Wishes} from './answer.ts';
import {askSession} from './ask-session.ts';
import {knowsSubject} from './run-wishes.ts';

export const sessionWishes: Wishes<
  | 'start-session'
  | 'send-input'
  | 'answer-question'
  | 'declare-service'
  | 'start-service'
  | 'stop-service'
  | 'restart-service'
  | 'add-note'
  | 'acknowledge-intrusion'
  | 'acknowledge-loop'
> = {
  'start-session': (state, {name, command, directory, prompt}) =>
    command.length === 0
      ? refuse('a session needs a command')
      : askSession(state, {
          for: 'person',
          name,
          command,
          directory,
          ...(prompt === undefined ? {} : {prompt}),
        }),

  'send-input': (state, {session: id, text}) => {
    const session = sessionOf(state, id);
    if (session === undefined) return refuse(`there is no session ${id}`);
    if (!isLive(session)) return refuse(`${id} has ended; nothing can be typed into it`);
    // The answer to a secret prompt goes to the keeper directly and is never written down.
    if (session.waiting?.secret === true)
      return refuse(`${id} asks for a secret; type it into its pane`);
    const input = session.inputs.length + 1;
    const {waiting} = session;
    // In a dialog Enter takes whatever is marked, and words are not read: only an option is typed, as the keys that choose it.
    if (waiting?.options === undefined || !text.endsWith('\r'))
      return {type: 'input-asked', session: id, input, text};
    const option = optionIn(waiting.options, text.slice(0, -1));
    if (option === undefined)
      return refuse(
        `${id} offers ${waiting.options.map((words, index) => `${index + 1} ${words}`).join(', ')}; send one of the numbers, or answer in its pane`,
      );
    return {
      type: 'input-asked',
      session: id,
      input,
      text: String(option),
      answers: waiting.question,
    };
  },

  'answer-question': (state, {session: id, number, text}) => {
    const session = sessionOf(state, id);
    const asked = session?.questions?.find((question) => question.number === number);
    if (session === undefined || asked === undefined)
      return refuse(`${id} has asked no question ${number}`);
    if (asked.answer !== undefined)
      return refuse(`question ${number} of ${id} is answered already`);
    if (!isLive(session)) return refuse(`${id} has ended; its question is closed`);
    return text.trim() === ''
      ? refuse('an answer needs words')
      : {type: 'question-answered', session: id, number, text};
  },

  'declare-service': (_state, {spec}) =>
    /^[a-z0-9][a-z0-9-]{0,39}$/.test(spec.name)
      ? {type: 'service-declared', spec}
      : refuse(`expected a service name of a–z, 0–9 and "-", got ${JSON.stringify(spec.name)}`),

  'start-service': (state, {service: name, by, at}) => {
    const service = serviceOf(state, name);
    if (service === undefined) return refuse(`there is no service ${JSON.stringify(name)}`);
    if (service.spec.per === 'task') return refuse(eachTaskHasOne(state, name));
    if (service.spec.owner !== undefined && !isWantedInstance(state, name))
      return refuse(`${name} runs only while its task is worked on`);
    if (
      service.desire === 'wanted' &&
      service.stage.at !== 'failed' &&
      service.stage.at !== 'foreign-port'
    )
      return refuse(`${name} is started already`);
    if (by.kind === 'person') return {type: 'service-wanted', service: name, by: 'person'};
    if (service.desire === 'stopped-by-person' || service.stage.at === 'failed')
      return refuse(`a person has to start ${name} again`);
    if (isStartedTooOften(service, at)) return refuse(tooManyStarts(name));
    const session = sessionOf(state, by.session);
    const task = session === undefined ? undefined : taskIdOfSession(session);
    return task === undefined
      ? refuse(`${by.session} works on no task`)
      : {type: 'service-wanted', service: name, by: task};
  },

  'stop-service': (state, {service: name}) => {
    const service = serviceOf(state, name);
    if (service === undefined) return refuse(`there is no service ${JSON.stringify(name)}`);
    if (service.spec.per === 'task') return refuse(eachTaskHasOne(state, name));
    return service.desire === 'stopped-by-person'
      ? refuse(`${name} is stopped already`)
      : {type: 'service-stopped', service: name};
  },

  'restart-service': (state, {service: name}) => restartOf(state, name),

  'add-note': (state, {on, text, by}) => addNote(state, on, text, by.kind === 'agent'),

  'acknowledge-intrusion': (state, {number}) =>
    state.intrusions.some((intrusion) => intrusion.number === number && !intrusion.isSeen)
      ? {type: 'intrusion-seen', number}
      : refuse(`there is no open notice ${number}`),

  'acknowledge-loop': (state, {session: id, number}) => {
    const session = sessionOf(state, id);
    if (session === undefined) return refuse(`there is no session ${id}`);
    const loop = session.loops?.find((one) => one.number === number);
    if (loop === undefined || loop.isSeen === true)
      return refuse(`there is no open sign ${number} of ${id}; see orchestra needs`);
    return isLive(session)
      ? {type: 'loop-seen', session: id, number}
      : refuse(`${id} has ended; there is nothing left that goes on`);
  },
};

/** By its number, or by its words if they are those of one option alone. */
function optionIn(options: readonly string[], text: string): number | undefined {
  const words = text.trim().toLowerCase();
  if (/^\d{1,2}$/.test(words))
    return Number(words) >= 1 && Number(words) <= options.length ? Number(words) : undefined;
  const exact = options.findIndex((option) => option.toLowerCase() === words);
  const beginning = options.flatMap((option, index) =>
    words !== '' && option.toLowerCase().startsWith(words) ? [index] : [],
  );
  const found = exact === -1 && beginning.length === 1 ? beginning[0] : exact;
  return found === undefined || found === -1 ? undefined : found + 1;
}

/** What agents may add to the notes on one thing. */
const mostNotes = 50;

function addNote(state: State, on: string, text: string, isAgents: boolean): Answer {
  if (text.trim() === '') return refuse('a note needs words');
  const known = isAgents ? state.notes.filter((note) => note.on === on) : [];
  if (known.some((note) => note.text === text)) return undefined;
  if (known.length >= mostNotes)
    return refuse(`there are ${known.length} notes on ${on} already; only a person adds more`);
  return knowsSubject(state, on)
    ? {type: 'note-added', on, text}
    : refuse(`there is nothing called ${JSON.stringify(on)}`);
}

function restartOf(state: State, name: string): Answer {
  const service = serviceOf(state, name);
  if (service === undefined) return refuse(`there is no service ${JSON.stringify(name)}`);
  if (service.spec.per === 'task') return refuse(eachTaskHasOne(state, name));
  const isOver = service.spec.owner !== undefined && !isWantedInstance(state, name);
  return isOver
    ? refuse(`${name} runs only while its task is worked on`)
    : {type: 'service-restarted', service: name};
}

function eachTaskHasOne(state: State, name: string): string {
  const names = state.services
    .filter(({spec, desire}) => spec.of === name && desire !== 'none')
    .map(({spec}) => spec.name);
  return `each task has its own ${name}; ${names.length === 0 ? 'it starts when a task that needs it is worked on' : `name one: ${names.join(', ')}`}`;
}
