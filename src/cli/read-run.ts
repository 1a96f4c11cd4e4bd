import { TraceNotFoundError } from '../replay/traces/trace-not-found-error.ts'
import { digest } from '../replay/traces/digest.ts'
import { locateTrace } from '../replay/traces/locate-trace.ts'
import { readStoredTrace, type TraceAndFile } from '../replay/traces/read-trace.ts'
import { toStore } from '../stores/default-store.ts'
import { createGoldenDirectory } from '../stores/golden-directory.ts'
import type { StoredTrace, TraceStore } from '../stores/trace-store.ts'
import { assembleTrace } from '../trace/assemble.ts'
import type { Row } from '../trace/rows.ts'
import type { Trace } from '../trace/trace.ts'

/** The description of a command's run argument. */
export const RUN_ARGUMENT =
  "a recording's id, its first characters, the id of its OpenTelemetry trace or the replay.capture_uri of its span, 'latest' for the newest one, a golden's name, or a path to a .jsonl or .runlog file"

/** Reads the trace that a command's argument names; see `RUN_ARGUMENT`. */
export async function readRun(run: string, store: string | TraceStore): Promise<Trace> {
  return (await readRunAndFile(run, store)).trace
}

/** The same, with the file and flags. */
export async function readRunAndFile(run: string, store: string | TraceStore): Promise<TraceAndFile> {
  return await readStoredTrace(await locateRun(run, store))
}

/** Finds the trace that a command's argument names, and gives its text. */
export async function locateRun(run: string, store: string | TraceStore): Promise<StoredTrace> {
  return await locateTrace(run === 'latest' ? await findLatest(store) : run, { store })
}

/**
 * One step of a recording as a trace, with its enclosing steps, if its store can find it without reading the others. Undefined if not, or
 * if there is no such recording or step: reading the whole recording tells which.
 */
export async function readStepAlone(run: string, option: string | TraceStore, step: number): Promise<Trace | undefined> {
  const { store } = toStore(option)
  if (store.readStep === undefined || /[/\\.]/.test(run) || (await createGoldenDirectory().find(run)).length > 0) return undefined
  const ids = await store.list()
  const fitting = run === 'latest' ? ids.slice(-1) : ids.includes(run) ? [run] : ids.filter((id) => id.startsWith(run))
  const [id, ...others] = fitting
  if (id === undefined || others.length > 0) return undefined
  const all: Row[] = []
  for (let number = step; number > 0;) {
    const [header, ...rows] = await store.readStep(id, number)
    if (header === undefined) return undefined
    all.splice(0, 1, header, ...rows)
    const [call] = rows
    number = call?.kind === 'call' && call.owner < number ? call.owner : 0
  }
  return assembleTrace(all, digest)
}

async function findLatest(option: string | TraceStore): Promise<string> {
  const { store, place } = toStore(option)
  const latest = (await store.list()).at(-1)
  if (latest !== undefined) return latest
  throw new TraceNotFoundError({
    wanted: 'latest',
    nearest: [],
    problem: `There is no recording in ${place}.`,
    advice: 'Record a run of your agent with createRecorder, or pass the directory of its recordings: --store <dir>',
  })
}
