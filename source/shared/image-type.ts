/** The kinds of image that agents read; also the ending of such a file. */
export type ImageType = 'png' | 'jpg' | 'gif' | 'webp';

/** What image the bytes are by their first bytes; a name or a type that somebody gives may lie. */
export function detectImageType(bytes: Uint8Array): ImageType | undefined {
  const starts = (from: number, text: string): boolean =>
    Array.from(text).every((character, index) => bytes[from + index] === character.charCodeAt(0));
  if (starts(0, '\u0089PNG\r\n\u001A\n')) return 'png';
  if (starts(0, '\u00FF\u00D8\u00FF')) return 'jpg';
  if (starts(0, 'GIF87a') || starts(0, 'GIF89a')) return 'gif';
  return starts(0, 'RIFF') && starts(8, 'WEBP') ? 'webp' : undefined;
}
