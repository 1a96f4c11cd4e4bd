/** What was said in each thread. Kept by the module, so it outlives a run. */
const threads = new Map<string, readonly string[]>()

/** What was said in a thread so far, the earliest first. */
export function recall(thread: string): readonly string[] {
  return threads.get(thread) ?? []
}

export function remember(thread: string, ...said: readonly string[]): void {
  threads.set(thread, [...recall(thread), ...said])
}

export function clear(thread: string): void {
  threads.delete(thread)
}
