/** The alternate screen, no wrapping, no cursor; pastes in brackets, focus; and whether it knows the newer form of keys. */
export const takeSequence = '\u001B[?1049h\u001B[?7l\u001B[?25l\u001B[?2004h\u001B[?1004h\u001B[?u';

export const mouseOff = '\u001B[?1000l\u001B[?1002l\u001B[?1003l\u001B[?1006l';

export const releaseSequence = `\u001B[?2026l\u001B[m${mouseOff}\u001B[?1004l\u001B[?2004l\u001B[?1l\u001B>\u001B[0 q\u001B[?7h\u001B[?25h\u001B[?1049l`;
