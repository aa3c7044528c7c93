import {isRunId, isSessionId, isTaskId} from '../ids.ts';
import {
  selectRun,
  selectService,
  selectSession,
  selectTask,
  taskIdOfSession,
} from '../select/find.ts';
import {formatTooManyStarts, isStartedTooOften, isWantedInstance} from '../select/services.ts';
import {isLive} from '../session.ts';
import type {State} from '../state.ts';
import {type Answer, askSession, type CommandHandlers, refuse} from './answer.ts';

export const sessionCommandHandlers: CommandHandlers<
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
    const session = selectSession(state, id);
    if (session === undefined) return refuse(`there is no session ${id}`);
    if (!isLive(session)) return refuse(`${id} has ended; nothing can be typed into it`);
    // The answer to a secret prompt goes directly to the keeper and is never recorded.
    if (session.waiting?.secret === true)
      return refuse(`${id} asks for a secret; type it into its pane`);
    const input = session.inputs.length + 1;
    const {waiting} = session;
    // A dialog reads keys, not text, and Enter selects the marked option. So only an option is
    // typed, as the key that selects it.
    if (waiting?.options === undefined || !text.endsWith('\r'))
      return {type: 'input-asked', session: id, input, text};
    if (waiting.keys !== undefined) {
      const key = findKey(waiting.keys, text.slice(0, -1));
      // A plain program also takes an answer that is none of its options.
      if (key === undefined) return {type: 'input-asked', session: id, input, text};
      const typed = waiting.readsKeys === true ? key : `${key}\r`;
      return {type: 'input-asked', session: id, input, text: typed, answers: waiting.question};
    }

    const option = findOption(waiting.options, text.slice(0, -1));
    if (option === undefined)
      return refuse(
        `${id} offers ` +
          `${waiting.options.map((text, index) => `${index + 1} ${text}`).join(', ')}; ` +
          'send one of the numbers, or answer in its pane',
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
    const session = selectSession(state, id);
    const asked = session?.questions?.find((question) => question.number === number);
    if (session === undefined || asked === undefined)
      return refuse(`${id} has asked no question ${number}`);
    if (asked.answer !== undefined)
      return refuse(`question ${number} of ${id} is already answered`);
    if (!isLive(session)) return refuse(`${id} has ended; its question is closed`);
    return text.trim() === ''
      ? refuse('an answer needs text')
      : {type: 'question-answered', session: id, number, text};
  },

  'declare-service': (_state, {spec}) =>
    /^[a-z0-9][a-z0-9-]{0,39}$/.test(spec.name)
      ? {type: 'service-declared', spec}
      : refuse(`expected a service name of a–z, 0–9 and "-", got ${JSON.stringify(spec.name)}`),

  'start-service': (state, {service: name, by, at}) => {
    const service = selectService(state, name);
    if (service === undefined) return refuse(`there is no service ${JSON.stringify(name)}`);
    if (service.spec.per === 'task') return refuse(formatPerTaskRefusal(state, name));
    if (service.spec.owner !== undefined && !isWantedInstance(state, name))
      return refuse(`${name} runs only while its task is in progress`);
    if (
      service.desire === 'wanted' &&
      service.stage.at !== 'failed' &&
      service.stage.at !== 'foreign-port'
    )
      return refuse(`${name} is already started`);
    if (by.kind === 'person') return {type: 'service-wanted', service: name, by: 'person'};
    if (service.desire === 'stopped-by-person' || service.stage.at === 'failed')
      return refuse(`only a person can start ${name} again`);
    if (isStartedTooOften(service, at)) return refuse(formatTooManyStarts(name));
    const session = selectSession(state, by.session);
    const task = session === undefined ? undefined : taskIdOfSession(session);
    return task === undefined
      ? refuse(`${by.session} works on no task`)
      : {type: 'service-wanted', service: name, by: task};
  },

  'stop-service': (state, {service: name}) => {
    const service = selectService(state, name);
    if (service === undefined) return refuse(`there is no service ${JSON.stringify(name)}`);
    if (service.spec.per === 'task') return refuse(formatPerTaskRefusal(state, name));
    return service.desire === 'stopped-by-person'
      ? refuse(`${name} is already stopped`)
      : {type: 'service-stopped', service: name};
  },

  'restart-service': (state, {service: name}) => restartService(state, name),

  'add-note': (state, {on, text, by}) => addNote(state, on, text, by.kind === 'agent'),

  'acknowledge-intrusion': (state, {number}) =>
    state.intrusions.some((intrusion) => intrusion.number === number && !intrusion.isSeen)
      ? {type: 'intrusion-seen', number}
      : refuse(`there is no open notice ${number}`),

  'acknowledge-loop': (state, {session: id, number}) => {
    const session = selectSession(state, id);
    if (session === undefined) return refuse(`there is no session ${id}`);
    const loop = session.loops?.find((one) => one.number === number);
    if (loop === undefined || loop.isSeen === true)
      return refuse(`there is no open loop ${number} of ${id}; see orchestra needs`);
    return isLive(session)
      ? {type: 'loop-seen', session: id, number}
      : refuse(`${id} has already ended`);
  },
};

/** Finds an option by its number, or by its text if exactly one option starts with it. */
function findOption(options: readonly string[], text: string): number | undefined {
  const message = text.trim().toLowerCase();
  if (/^\d{1,2}$/.test(message))
    return Number(message) >= 1 && Number(message) <= options.length ? Number(message) : undefined;
  const exact = options.findIndex((option) => option.toLowerCase() === message);
  const beginning = options.flatMap((option, index) =>
    message !== '' && option.toLowerCase().startsWith(message) ? [index] : [],
  );
  const found = exact === -1 && beginning.length === 1 ? beginning[0] : exact;
  return found === undefined || found === -1 ? undefined : found + 1;
}

/** The key of an option of a plain program, by the key itself or by its number. */
function findKey(keys: readonly string[], text: string): string | undefined {
  const message = text.trim().toLowerCase();
  const exact = keys.find((key) => key.toLowerCase() === message);
  return exact ?? (/^[1-9]$/.test(message) ? keys[Number(message) - 1] : undefined);
}

/** Notes that agents may add to one subject. */
const maxAgentNotes = 50;

function addNote(state: State, on: string, text: string, isAgents: boolean): Answer {
  if (text.trim() === '') return refuse('a note needs text');
  const known = isAgents ? state.notes.filter((note) => note.on === on) : [];
  if (known.some((note) => note.text === text)) return undefined;
  if (known.length >= maxAgentNotes)
    return refuse(`${on} already has ${known.length} notes; only a person can add more`);
  return isKnownSubject(state, on)
    ? {type: 'note-added', on, text}
    : refuse(`there is nothing called ${JSON.stringify(on)}`);
}

function isKnownSubject(state: State, on: string): boolean {
  if (isRunId(on)) return selectRun(state, on) !== undefined;
  if (isTaskId(on)) return selectTask(state, on) !== undefined;
  return isSessionId(on) && selectSession(state, on) !== undefined;
}

function restartService(state: State, name: string): Answer {
  const service = selectService(state, name);
  if (service === undefined) return refuse(`there is no service ${JSON.stringify(name)}`);
  if (service.spec.per === 'task') return refuse(formatPerTaskRefusal(state, name));
  const isOver = service.spec.owner !== undefined && !isWantedInstance(state, name);
  return isOver
    ? refuse(`${name} runs only while its task is in progress`)
    : {type: 'service-restarted', service: name};
}

function formatPerTaskRefusal(state: State, name: string): string {
  const names = state.services
    .filter(({spec, desire}) => spec.of === name && desire !== 'none')
    .map(({spec}) => spec.name);
  return (
    `each task has its own ${name}; ` +
    (names.length === 0 ? 'it starts with a task that needs it' : `name one: ${names.join(', ')}`)
  );
}
