import {piecesOf} from './anthropic.ts';
import {type Asked, type Turn, fieldsOf, listOf, nameOf, textsOf, usualTokens} from './script.ts';

export function readGemini(body: unknown, model: string): Asked {
  const {systemInstruction, contents, tools} = fieldsOf(body);
  const parts = listOf(contents)
    .map(fieldsOf)
    .filter(({role}) => role === 'user')
    .flatMap((content) => listOf(content['parts']));
  return {
    api: 'gemini',
    model,
    system: textsOf(fieldsOf(systemInstruction)['parts']).join('\n'),
    user: parts.flatMap(textsOf),
    tools: listOf(tools)
      .flatMap((tool) => listOf(fieldsOf(tool)['functionDeclarations']))
      .map((tool) => nameOf(fieldsOf(tool)['name'])),
    results: parts.flatMap((part) =>
      'functionResponse' in fieldsOf(part)
        ? [JSON.stringify(fieldsOf(fieldsOf(part)['functionResponse'])['response'])]
        : [],
    ),
  };
}

export function writeGemini(asked: Asked, turn: Turn): string[] {
  return bodiesOf(asked, turn).map((body) => `data: ${JSON.stringify(body)}\r\n\r\n`);
}

/** The whole answer in one piece, for those who do not stream. */
export function wholeGemini(asked: Asked, turn: Turn): object {
  const last = bodiesOf(asked, {}).at(-1) ?? {};
  return {
    ...last,
    candidates: [
      {index: 0, finishReason: 'STOP', content: {role: 'model', parts: [{text: turn.text ?? ''}]}},
    ],
  };
}

function bodiesOf(
  {model}: Asked,
  {thinking, text, calls = [], usage = usualTokens}: Turn,
): object[] {
  const parts = [
    ...(thinking === undefined ? [] : [{text: thinking, thought: true}]),
    ...piecesOf(text ?? '').map((piece) => ({text: piece})),
    ...calls.map(({name, input}) => ({functionCall: {name, args: input}})),
  ];
  const metadata = {
    promptTokenCount: usage.input,
    cachedContentTokenCount: usage.cached,
    candidatesTokenCount: usage.output,
    totalTokenCount: usage.input + usage.output,
  };
  return [
    ...parts.map((part) => ({
      candidates: [{index: 0, content: {role: 'model', parts: [part]}}],
      modelVersion: model,
    })),
    {
      candidates: [{index: 0, finishReason: 'STOP', content: {role: 'model', parts: [{text: ''}]}}],
      usageMetadata: metadata,
      modelVersion: model,
    },
  ];
}
