/** Whether the line that the cursor stands on looks as if something were asked: `Name:`, `version: (1.0.0)`, `[y/N]`, `>`. Evidence only together with what the kernel says. */
export function looksLikePrompt(line: string): boolean {
  return /[?:]\s*(?:[([][^)\]]*[)\]]\s*)?$|[>$#%❯›»]\s*$|[([]\s*(?:y|yes)\s*\/\s*(?:n|no)\s*[)\]]|\bpress (?:any key|enter|return)\b|\(END\)|--More--/iu.test(
    line,
  );
}

/**
 * Whether the line can hardly be anything but a question. A shell's prompt may well end in `git:(main)` or in a name, and
 * may stand behind a question that was answered by one key.
 */
export function looksLikeQuestion(line: string): boolean {
  return /[?:](?:\s+[([][^)\]]*[)\]])?\s*$|[([]\s*(?:y|yes)\s*\/\s*(?:n|no)\b[^)\]]*[)\]]\W*$|\b(?:press (?:any key|enter|return)|type one of)\b[^$#%>❯]*$/iu.test(
    line,
  );
}

/** Whether it asks for what nobody but a person may know. Rather once too often. */
export function asksForSecret(line: string): boolean {
  return /\b(?:password|passphrase|passcode|pin|otp|secret|token|api[ -]?key|verification code)\b[^:?]*[:?]\s*$/i.test(
    line,
  );
}
