import {type Asked, getFields, getName, listOf, toTexts, type Turn, usualTokens} from './script.ts';

export function readAnthropic(body: unknown): Asked {
  const {model, system, messages, tools} = getFields(body);
  const text = listOf(messages).map(getFields);
  const parts = text
    .filter(({role}) => role === 'user')
    .flatMap(({content}) => (typeof content === 'string' ? [content] : listOf(content)));
  const isResult = (part: unknown): boolean => getFields(part)['type'] === 'tool_result';
  return {
    api: 'anthropic',
    model: getName(model),
    // Instructions may also come as messages of their own, after the first.
    system: [
      ...toTexts(system),
      ...text.filter(({role}) => role === 'system').flatMap(({content}) => toTexts(content)),
    ].join('\n'),
    user: parts.filter((part) => !isResult(part)).flatMap(toTexts),
    tools: listOf(tools).map((tool) => getName(getFields(tool)['name'])),
    results: parts.filter(isResult).map((part) => toTexts(getFields(part)['content']).join('\n')),
  };
}

/** The events of one message, as the Messages API streams them. */
export function writeAnthropic(
  {model}: Asked,
  {thinking, text, calls = [], usage = usualTokens}: Turn,
  number: number,
): string[] {
  const events: object[] = [
    {
      type: 'message_start',
      message: {
        id: `msg_${number}`,
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: usage.input - usage.cached,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: usage.cached,
          output_tokens: 1,
        },
      },
    },
  ];
  let index = 0;
  const block = (start: object, ...deltas: readonly object[]): void => {
    events.push(
      {type: 'content_block_start', index, content_block: start},
      ...deltas.map((delta) => ({type: 'content_block_delta', index, delta})),
      {type: 'content_block_stop', index},
    );
    index += 1;
  };

  if (thinking !== undefined)
    block(
      {type: 'thinking', thinking: '', signature: ''},
      {type: 'thinking_delta', thinking},
      {type: 'signature_delta', signature: 'c2lnbmVk'},
    );
  if (text !== undefined)
    block(
      {type: 'text', text: ''},
      ...getPieces(text).map((piece) => ({type: 'text_delta', text: piece})),
    );
  for (const [place, {name, input}] of calls.entries())
    block(
      {type: 'tool_use', id: `toolu_${number}_${place}`, name, input: {}},
      {type: 'input_json_delta', partial_json: JSON.stringify(input)},
    );
  events.push(
    {
      type: 'message_delta',
      delta: {stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null},
      usage: {output_tokens: usage.output},
    },
    {type: 'message_stop'},
  );
  return events.map(
    (event) => `event: ${(event as {type: string}).type}\ndata: ${JSON.stringify(event)}\n\n`,
  );
}

/** Text comes in pieces, cut anywhere. */
export function getPieces(text: string): string[] {
  const half = Math.ceil(text.length / 2);
  return [text.slice(0, half), text.slice(half)].filter((piece) => piece !== '');
}
