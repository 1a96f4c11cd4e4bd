import { TraceNotFoundError } from '../replay/errors/trace-not-found-error.ts'
import { readTrace } from '../replay/read-trace.ts'
import { toStore } from '../stores/default-store.ts'
import type { Trace } from '../trace/trace.ts'

/** What the argument of a command that takes a run may be. */
export const RUN_ARGUMENT = "a recording's id or its first characters, 'latest' for the newest one, a golden's name, or a path to a .jsonl file"

/** Reads the trace that a command's argument means; see `RUN_ARGUMENT`. */
export async function readRun(run: string, store: string): Promise<Trace> {
  return run === 'latest' ? readLatest(store) : readTrace(run, { store })
}

/** @note Ids begin with the second a run started in: of those that share the last one the header tells the newest. */
async function readLatest(option: string): Promise<Trace> {
  const { store, place } = toStore(option)
  const ids = await store.list()
  const second = ids.at(-1)?.slice(0, 'YYYYMMDD-HHMMSS'.length) ?? ''
  const traces = await Promise.all(ids.filter((id) => id.startsWith(second)).map((id) => readTrace(id, { store })))
  const [latest] = traces.toSorted((a, b) => Date.parse(b.header.startedAt) - Date.parse(a.header.startedAt))
  if (latest !== undefined) return latest
  throw new TraceNotFoundError({
    wanted: 'latest',
    nearest: [],
    problem: `There is no recording in ${place}.`,
    advice: 'Record a run of your agent with createRecorder, or say where its recordings are: --store <dir>',
  })
}
