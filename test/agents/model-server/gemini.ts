import {getPieces} from './anthropic.ts';
import {type Asked, getFields, getName, listOf, toTexts, type Turn, usualTokens} from './script.ts';

export function readGemini(body: unknown, model: string): Asked {
  const {systemInstruction, contents, tools} = getFields(body);
  const parts = listOf(contents)
    .map(getFields)
    .filter(({role}) => role === 'user')
    .flatMap((content) => listOf(content['parts']));
  return {
    api: 'gemini',
    model,
    system: toTexts(getFields(systemInstruction)['parts']).join('\n'),
    user: parts.flatMap(toTexts),
    tools: listOf(tools)
      .flatMap((tool) => listOf(getFields(tool)['functionDeclarations']))
      .map((tool) => getName(getFields(tool)['name'])),
    results: parts.flatMap((part) =>
      'functionResponse' in getFields(part)
        ? [JSON.stringify(getFields(getFields(part)['functionResponse'])['response'])]
        : [],
    ),
  };
}

export function writeGemini(asked: Asked, turn: Turn): string[] {
  return getBodies(asked, turn).map((body) => `data: ${JSON.stringify(body)}\r\n\r\n`);
}

/** The whole answer in one piece, for those who do not stream. */
export function wholeGemini(asked: Asked, turn: Turn): object {
  const last = getBodies(asked, {}).at(-1) ?? {};
  return {
    ...last,
    candidates: [
      {index: 0, finishReason: 'STOP', content: {role: 'model', parts: [{text: turn.text ?? ''}]}},
    ],
  };
}

function getBodies(
  {model}: Asked,
  {thinking, text, calls = [], usage = usualTokens}: Turn,
): object[] {
  const parts = [
    ...(thinking === undefined ? [] : [{text: thinking, thought: true}]),
    ...getPieces(text ?? '').map((piece) => ({text: piece})),
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
