/** Ignores promises of changed agents that reject without a handler, so that they do not end the bench. @returns A function that undoes it. */
export function bearRejections(): () => void {
  const bear = (): void => undefined
  process.on('unhandledRejection', bear)
  return () => void process.off('unhandledRejection', bear)
}
