/** The colour that xterm shows for a number from 16 to 255. */
export function hexOf256(number: number): string {
  const parts =
    number >= 232
      ? [number, number, number].map((grey) => 8 + (grey - 232) * 10)
      : [36, 6, 1].map((unit) => {
          const step = Math.floor((number - 16) / unit) % 6;
          return step === 0 ? 0 : 55 + 40 * step;
        });
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
