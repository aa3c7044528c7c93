/** Whether a text that was kept does nothing but draw: characters, colours, places. It comes from a file, so it is looked at before a terminal gets it. */
export function isFrameText(text: string): boolean {
  return drawing.test(text);
}

const drawing = /^(?:[^\0-\u001F\u007F-\u009F]|\u001B\[(?:[\d:;]*[HJKCm]|\?2026[hl]|\?25l))*$/;
