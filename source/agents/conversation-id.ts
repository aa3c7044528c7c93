/**
 * Whether a text can be a conversation id. It becomes an argument of the agent, so it must not look
 * like an option.
 */
export function isConversationId(text: string): boolean {
  return /^[A-Za-z0-9][\w.:-]{0,199}$/.test(text);
}
