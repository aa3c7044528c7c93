/** What a client asked, whatever its API, in the order in which the model gets it. */
export type Asked = {
  readonly api: 'anthropic' | 'responses' | 'chat' | 'gemini';
  readonly model: string;
  /** System and developer text. */
  readonly system: string;
  /** What the user's side says, piece by piece; the results of tools are not among it. */
  readonly user: readonly string[];
  readonly tools: readonly string[];
  readonly results: readonly string[];
};

/** What the model does next. */
export type Turn = {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly Call[];
  readonly usage?: Tokens;
  /** An answer that is none. */
  readonly refusal?: Refusal;
  /** It says this much and never goes on, until the client leaves. */
  readonly hangs?: boolean;
  /** It says the first piece of its text and never goes on, until the client leaves. */
  readonly hangsInText?: boolean;
};

export type Call = {readonly name: string; readonly input: unknown};

/** `input` has `cached` in it. */
export type Tokens = {readonly input: number; readonly cached: number; readonly output: number};

export type Refusal = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** A promise is for a model that thinks until the test lets it answer. */
export type Script = (asked: Asked) => Turn | Promise<Turn>;

export const usualTokens: Tokens = {input: 100, cached: 40, output: 20};

type Fields = Readonly<Record<string, unknown>>;

export function getFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** All text in a content that is a string, a part, or a list of parts. */
export function toTexts(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (Array.isArray(content)) return content.flatMap(toTexts);
  const {text} = getFields(content);
  return typeof text === 'string' ? [text] : [];
}

export function getName(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
