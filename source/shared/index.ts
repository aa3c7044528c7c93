/**
 * Small pure helpers that any module may use: text, numbers, hashes, globs, token counts.
 * Not here: anything that knows what a run, a task or a session is.
 */
export {clusterRules, clusterWidth, hasJoined, mayJoin, measureWidth} from './character-width.ts';
export {compilePattern, type PatternCompileResult} from './compile-pattern.ts';
export {countTokens} from './count-tokens.ts';
export {
  approvedHashLength,
  formatCost,
  formatCount,
  formatTokens,
  pluralize,
  shortHash,
} from './format-amount.ts';
export {formatProblems, type ParseResult, type Problem, toProblem} from './parse-result.ts';
export {
  formatClock,
  formatClockMinute,
  formatDateLine,
  formatDay,
  formatDuration,
  formatShortDuration,
  getMinuteMs,
  hourOfDay,
  localOffset,
} from './time.ts';
export {
  checkName,
  gitAttributesName,
  gitFolderName,
  gitModulesName,
  isGitFileName,
  nearest,
  shortName,
  skillName,
} from './names.ts';
export {
  expandGlob,
  hasTooManyWildcards,
  hasWildcard,
  parseGlob,
  pathMatcher,
  splitGlobs,
} from './globs.ts';
export {
  emptyLedger,
  type Environment,
  isRecord,
  isSame,
  type Ledger,
  ledgerEntries,
  ledgerEntry,
  memoizeByObject,
  withLedgerEntry,
  without,
} from './plain-data.ts';
export {
  defaultNetworkPorts,
  type Host,
  isLoopback,
  type NetworkEntry,
  type NetworkEntryParseResult,
  networkProxyPort,
  parseHost,
  parseNetworkEntries,
  parseNetworkEntry,
} from './parse-network-entry.ts';
export {redactTokens} from './redact-tokens.ts';
export {
  excerpt,
  findHiddenCharacters,
  hasHiddenCharacters,
  hiddenCharacter,
  sanitizeText,
  shellWord,
  showHiddenInJson,
  terminalSequence,
  toNfc,
  toPlainOutput,
} from './sanitize-text.ts';
export {detectImageType, type ImageType} from './image-type.ts';
export {parsePastedPaths, quotePath} from './pasted-paths.ts';
export {toSha256} from './to-sha256.ts';
export {
  cutLine,
  displayWidth,
  takeHead,
  wrapLine,
  wrapSentence,
  wrapText,
  wrapWithTail,
} from './wrap-text.ts';
export {errorCode, errorText} from './error-text.ts';
