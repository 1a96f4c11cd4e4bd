const PAUSE_MS = 3

/** Calls `attempt` up to `tries` times, with a growing pause, until it succeeds; returns null if it never does. */
export async function retry(tries: number, attempt: () => Promise<string>): Promise<string | null> {
  for (let count = 1; count <= tries; count += 1) {
    try {
      return await attempt()
    } catch {
      if (count < tries) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * count))
    }
  }
  return null
}
