import { TraceNotFoundError } from '../replay/errors/trace-not-found-error.ts'
import { readTraceAndFile } from '../replay/read-trace.ts'
import { toStore } from '../stores/default-store.ts'
import type { Trace } from '../trace/trace.ts'

/** What the argument of a command that takes a run may be. */
export const RUN_ARGUMENT =
  "a recording's id, its first characters or the id of its OpenTelemetry trace, 'latest' for the newest one, a golden's name, or a path to a .jsonl or .runlog file"

/** Reads the trace that a command's argument means; see `RUN_ARGUMENT`. */
export async function readRun(run: string, store: string): Promise<Trace> {
  return (await readRunAndFile(run, store)).trace
}

/** The same, with its file as messages call it. */
export async function readRunAndFile(run: string, store: string): Promise<{ readonly trace: Trace; readonly file: string }> {
  return readTraceAndFile(run === 'latest' ? await findLatest(store) : run, { store })
}

async function findLatest(option: string): Promise<string> {
  const { store, place } = toStore(option)
  const latest = (await store.list()).at(-1)
  if (latest !== undefined) return latest
  throw new TraceNotFoundError({
    wanted: 'latest',
    nearest: [],
    problem: `There is no recording in ${place}.`,
    advice: 'Record a run of your agent with createRecorder, or say where its recordings are: --store <dir>',
  })
}
