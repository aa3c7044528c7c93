/**
 * A plugin for opencode that appends a signal to the signals file when a turn begins or ends. It is
 * written for every session and loaded by opencode, so it is text here. The conversation is in a
 * database, so the signal carries its usage. Subagents have sessions with a parent; they are
 * skipped.
 */
export const openCodePlugin = `import {appendFileSync} from 'node:fs';

const file = process.env.ORCHESTRA_SIGNALS;
const write = (signal) => {
  if (file) appendFileSync(file, JSON.stringify(signal) + '\\n');
};

export const OrchestraSignals = async ({client}) => {
  const busy = new Set();
  const errors = new Map();
  const isSubagent = async (id) => {
    const {data} = await client.session.get({path: {id}});
    return Boolean(data?.parentID);
  };
  const summarize = async (id) => {
    const {data = []} = await client.session.messages({path: {id}});
    const usage = {input: 0, output: 0, cost: 0};
    let words = '';
    for (const {info, parts} of data) {
      if (info.role !== 'assistant') continue;
      const {tokens = {}} = info;
      const {cache = {}} = tokens;
      usage.input += (tokens.input ?? 0) + (cache.read ?? 0) + (cache.write ?? 0);
      usage.output += (tokens.output ?? 0) + (tokens.reasoning ?? 0);
      usage.cost += info.cost ?? 0;
      const text = parts.filter(({type}) => type === 'text').map((part) => part.text).join('\\n');
      if (text) words = text;
    }
    return {usage, words};
  };
  return {
    event: async ({event: {type, properties = {}}}) => {
      try {
        const conversation = properties.sessionID;
        if (typeof conversation !== 'string') return;
        if (type === 'session.status' && properties.status?.type === 'busy' && !busy.has(conversation)) {
          busy.add(conversation);
          if (!(await isSubagent(conversation))) write({signal: 'turn-began', conversation});
        } else if (type === 'session.error') {
          const {error = {}} = properties;
          const {statusCode, message} = error.data ?? {};
          const text = message ?? error.message ?? error.name ?? 'unknown';
          // A turn that the person interrupted goes on with their next prompt.
          errors.set(conversation, error.name === 'MessageAbortedError' ? undefined : statusCode ? statusCode + ' ' + text : text);
        } else if (type === 'permission.asked' || type === 'question.asked') {
          write({signal: 'asks', conversation});
        } else if (type === 'session.idle' && busy.delete(conversation)) {
          const isAborted = errors.has(conversation) && errors.get(conversation) === undefined;
          const error = errors.get(conversation);
          errors.delete(conversation);
          if (isAborted || (await isSubagent(conversation))) return;
          write({signal: 'turn-ended', conversation, error, ...(await summarize(conversation))});
        }
      } catch {
        // A signal that cannot be built or written must not disturb the session.
      }
    },
  };
};
`;
