import type { RunLog } from './run-log.ts'

/** Runs an agent and tells the log how it ended. */
export async function runLogged<Output>(log: RunLog, run: () => Promise<Output>): Promise<Output> {
  try {
    const output = await run()
    log.finish({ output })
    return output
  } catch (error) {
    log.finish({ error: String(error) })
    throw error
  }
}
