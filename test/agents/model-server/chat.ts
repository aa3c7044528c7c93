import {getPieces} from './anthropic.ts';
import {type Asked, getFields, getName, listOf, toTexts, type Turn, usualTokens} from './script.ts';

export function readChat(body: unknown): Asked {
  const {model, messages, tools} = getFields(body);
  const text = listOf(messages).map(getFields);
  const of = (...roles: readonly string[]): string[] =>
    text.filter(({role}) => roles.includes(getName(role))).flatMap(({content}) => toTexts(content));
  return {
    api: 'chat',
    model: getName(model),
    system: of('system', 'developer').join('\n'),
    user: of('user'),
    tools: listOf(tools).map((tool) => getName(getFields(getFields(tool)['function'])['name'])),
    results: of('tool'),
  };
}

export function writeChat(
  asked: Asked,
  {thinking, text, calls = [], usage = usualTokens}: Turn,
  number: number,
): string[] {
  const chunk = (delta: object, finish: string | null = null): object => ({
    id: `chat_${number}`,
    object: 'chat.completion.chunk',
    created: 1,
    model: asked.model,
    choices: [{index: 0, delta, finish_reason: finish}],
  });
  const events = [
    chunk({role: 'assistant', content: ''}),
    ...(thinking === undefined ? [] : [chunk({reasoning_content: thinking})]),
    ...getPieces(text ?? '').map((content) => chunk({content})),
    ...calls.map(({name, input}, index) =>
      chunk({
        tool_calls: [
          {
            index,
            id: `call_${number}_${index}`,
            type: 'function',
            function: {name, arguments: JSON.stringify(input)},
          },
        ],
      }),
    ),
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    {
      id: `chat_${number}`,
      object: 'chat.completion.chunk',
      created: 1,
      model: asked.model,
      choices: [],
      usage: {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        total_tokens: usage.input + usage.output,
        prompt_tokens_details: {cached_tokens: usage.cached},
      },
    },
  ];
  return [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n'];
}
