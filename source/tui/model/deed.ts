/** Everything that a key, or a line of the palette, can do. */
export const deeds = [
  'quit', 'suspend', 'redraw', 'help', 'palette', 'back', 'new-objective', 'next-need', 'previous-need',
  'screen-workers', 'screen-brief', 'screen-plan', 'screen-review', 'screen-services', 'screen-timeline', 'screen-audit', 'screen-knowledge', 'screen-settings', 'screen-keys',
  'up', 'down', 'left', 'right', 'line-start', 'line-end', 'page-up', 'page-down', 'first', 'last', 'open',
  'type', 'stop-typing', 'zoom', 'next-pane', 'previous-pane', 'pane-left', 'pane-right', 'pane-up', 'pane-down', 'numbered-pane', 'more-panes', 'fewer-panes',
  'scroll', 'stop-scrolling', 'search-pane', 'next-match', 'previous-match', 'mark', 'mark-lines', 'copy', 'attach', 'follow-needy', 'other-terminal',
  'stop', 'resume', 'take-over', 'hand-back', 'hand-to-agent', 'discard', 'note', 'reset', 'environment', 'start-command', 'queue-earlier', 'queue-later',
  'write-objective', 'prepare-repository', 'older', 'newer', 'next-agent', 'next-model', 'name-model', 'next-planner', 'next-planner-model', 'name-planner-model', 'next-skill', 'queue-objective',
  'approve', 'edit-plan', 'reject-plan', 'comment-line', 'see-plan', 'baseline-mend', 'baseline-ignore', 'baseline-no-new', 'baseline-count', 'baseline-again', 'share-dependencies',
  'option', 'answer', 'grant', 'see-diff', 'accept', 'propose', 'plan-again', 'more-budget', 'seen', 'adopt-branch', 'restore-branch',
  'other-side', 'next-file', 'previous-file', 'drop-comment', 'send-comments', 'next-subject',
  'start-service', 'stop-service', 'restart-service', 'see-pane', 'see-moment', 'all-events', 'search', 'change-setting', 'change-key', 'usual-key', 'no-key', 'keep-key',
  'submit', 'leave-field', 'confirm', 'leave-confirm', 'next-way',
] as const;

export type Deed = (typeof deeds)[number];
