/** A changed agent may let a promise reject that nobody waits for. That is its own affair, and no end of the bench. @returns What puts an end to it. */
export function bearRejections(): () => void {
  const bear = (): void => undefined
  process.on('unhandledRejection', bear)
  return () => void process.off('unhandledRejection', bear)
}
