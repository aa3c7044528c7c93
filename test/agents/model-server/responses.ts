import {getPieces} from './anthropic.ts';
import {type Asked, getFields, getName, listOf, toTexts, type Turn, usualTokens} from './script.ts';

export function readResponses(body: unknown): Asked {
  const {model, instructions, input, tools} = getFields(body);
  const items = listOf(input).map(getFields);
  const of = (...roles: readonly string[]): string[] =>
    items
      .filter(({role}) => roles.includes(getName(role)))
      .flatMap(({content}) => toTexts(content));
  return {
    api: 'responses',
    model: getName(model),
    system: [getName(instructions), ...of('system', 'developer')].join('\n'),
    user: of('user'),
    tools: listOf(tools).map(getFields).flatMap(toolNames),
    results: items
      .filter(({type}) => getName(type).endsWith('_output'))
      .map(({output}) => (typeof output === 'string' ? output : JSON.stringify(output))),
  };
}

export function writeResponses(
  asked: Asked,
  {thinking, text, calls = [], usage = usualTokens}: Turn,
  number: number,
): string[] {
  const output: object[] = [];
  const events: object[] = [{type: 'response.created', response: {id: `resp_${number}`}}];
  const item = (value: object, ...between: readonly object[]): void => {
    events.push(
      {type: 'response.output_item.added', output_index: output.length, item: value},
      ...between,
      {type: 'response.output_item.done', output_index: output.length, item: value},
    );
    output.push(value);
  };

  if (thinking !== undefined)
    item({
      type: 'reasoning',
      id: `rs_${number}`,
      summary: [{type: 'summary_text', text: thinking}],
    });
  if (text !== undefined) {
    item(
      {
        type: 'message',
        id: `msg_${number}`,
        role: 'assistant',
        status: 'completed',
        content: [{type: 'output_text', text, annotations: []}],
      },
      ...getPieces(text).map((delta) => ({
        type: 'response.output_text.delta',
        item_id: `msg_${number}`,
        output_index: output.length,
        content_index: 0,
        delta,
      })),
    );
  }

  for (const [place, {name, input}] of calls.entries()) {
    const head = {id: `fc_${number}_${place}`, call_id: `call_${number}_${place}`, ...spaced(name)};
    item(
      typeof input === 'string'
        ? {type: 'custom_tool_call', ...head, input}
        : {type: 'function_call', ...head, arguments: JSON.stringify(input)},
    );
  }

  events.push({
    type: 'response.completed',
    response: {
      id: `resp_${number}`,
      model: asked.model,
      output,
      usage: {
        input_tokens: usage.input,
        input_tokens_details: {cached_tokens: usage.cached},
        output_tokens: usage.output,
        output_tokens_details: {reasoning_tokens: 0},
        total_tokens: usage.input + usage.output,
      },
    },
  });
  return events.map(
    (event) => `event: ${(event as {type: string}).type}\ndata: ${JSON.stringify(event)}\n\n`,
  );
}

/**
 * The tools of a server are in a namespace of its own: `mcp__server` with `tool` is
 * `mcp__server__tool`.
 */
function toolNames({type, name, tools}: Readonly<Record<string, unknown>>): string[] {
  if (type !== 'namespace') return [getName(name) || getName(type)];
  return listOf(tools).map((tool) => `${getName(name)}__${getName(getFields(tool)['name'])}`);
}

function spaced(name: string): {readonly name: string; readonly namespace?: string} {
  const [, namespace, tool] = /^(mcp__[^_]+)__(.+)$/.exec(name) ?? [];
  return namespace === undefined || tool === undefined ? {name} : {name: tool, namespace};
}
