/** The clock of the app, where nobody gives it another one. */
export function afterTimeout(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms);
  return () => {
    clearTimeout(timer);
  };
}
