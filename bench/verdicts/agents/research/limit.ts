/** Runs tasks with limited concurrency, and returns their results in order. */
export async function limit<Result>(most: number, tasks: readonly (() => Promise<Result>)[]): Promise<Result[]> {
  const results: Result[] = []
  const waiting = [...tasks.entries()]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results[next[0]] = await next[1]()
  }
  await Promise.all(Array.from({ length: most }, work))
  return results
}
