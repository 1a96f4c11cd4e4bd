/** A changed agent may let a promise reject that nobody waits for. That is its own affair, and no end of the bench. */
export function bearRejections(): Disposable {
  const bear = (): void => undefined
  process.on('unhandledRejection', bear)
  return { [Symbol.dispose]: () => void process.off('unhandledRejection', bear) }
}
