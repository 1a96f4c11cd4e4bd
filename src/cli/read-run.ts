import { TraceNotFoundError } from '../replay/traces/trace-not-found-error.ts'
import { digest } from '../replay/traces/digest.ts'
import { locateTrace } from '../replay/traces/locate-trace.ts'
import { readStoredTrace, type TraceAndFile } from '../replay/traces/read-trace.ts'
import { toStore } from '../stores/default-store.ts'
import { listIds } from '../stores/list-ids.ts'
import { createGoldenDirectory } from '../stores/golden-directory.ts'
import type { StoredTrace, TraceStore } from '../stores/trace-store.ts'
import { assembleTrace } from '../trace/assemble.ts'
import type { Row } from '../trace/rows.ts'
import type { Trace } from '../trace/trace.ts'

/** The description of a command's run argument. */
export const RUN_ARGUMENT =
  "a recording's id, its first characters, the id of its OpenTelemetry trace or the replay.capture_uri of its span, 'latest' for the newest one, 'latest~1' for the one before it, a golden's name, or a path to a .jsonl or .runlog file"

/** Reads the trace that a command's argument names; see `RUN_ARGUMENT`. */
export async function readRun(run: string, store: string | TraceStore): Promise<Trace> {
  return (await readRunAndFile(run, store)).trace
}

/** Like `readRun`, with the file and flags. */
export async function readRunAndFile(run: string, store: string | TraceStore): Promise<TraceAndFile> {
  return await readStoredTrace(await locateRun(run, store))
}

/** Finds the trace that a command's argument names, and returns its text. */
export async function locateRun(run: string, store: string | TraceStore): Promise<StoredTrace> {
  const back = stepsBack(run)
  return await locateTrace(back === undefined ? run : await findLatest(store, run, back), { store })
}

/**
 * Finds a run by the name that a list shows: the whole id of a recording in the store, or the whole name of a golden in the project.
 *
 * @throws TraceNotFoundError for every other argument, such as a path.
 */
export async function locateListed(run: string, option: string | TraceStore): Promise<StoredTrace> {
  const goldens = createGoldenDirectory()
  const { store, place } = toStore(option)
  const found = (await goldens.list()).includes(run) ? await goldens.read(run) : (await isListed(run, store)) && (await store.read(run))
  if (found) return found
  const problem = `There is no golden trace ${JSON.stringify(run)}, and no such recording in ${place}.`
  throw new TraceNotFoundError({ wanted: run, nearest: [], problem, advice: 'Open it from the list.' })
}

/** Whether the store has a recording with this whole id: it is then the first of those that begin with it. */
async function isListed(id: string, store: TraceStore): Promise<boolean> {
  return (await listIds(store, { prefix: id, limit: 1 }))[0] === id
}

/**
 * Reads one step of a recording as a trace, with its enclosing steps, if the store can find it without reading the other steps. Returns undefined if
 * it cannot, or if there is no such recording or step: reading the whole recording shows which.
 */
export async function readStepAlone(run: string, option: string | TraceStore, step: number): Promise<Trace | undefined> {
  const { store } = toStore(option)
  if (store.readStep === undefined || /[/\\.]/.test(run) || (await createGoldenDirectory().find(run)).length > 0) return undefined
  const back = stepsBack(run)
  const id = back === undefined ? await onlyOne(run, store) : (await newestIds(store, back)).at(back)
  if (id === undefined) return undefined
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

/** Returns the id with this prefix, if there is exactly one. */
async function onlyOne(prefix: string, store: TraceStore): Promise<string | undefined> {
  const [id, ...others] = await listIds(store, { prefix, limit: 2 })
  return id === prefix || others.length === 0 ? id : undefined
}

/** Returns the newest ids, as many as needed to go back this number of runs. */
async function newestIds(store: TraceStore, back: number): Promise<string[]> {
  return listIds(store, { newest: true, limit: back + 1 })
}

/** Returns how many recordings are newer than the named run: 0 for `latest`, 2 for `latest~2`; undefined for any other name. */
function stepsBack(run: string): number | undefined {
  const match = /^latest(?:~(\d+))?$/.exec(run)
  return match === null ? undefined : Number(match[1] ?? 0)
}

async function findLatest(option: string | TraceStore, wanted: string, back: number): Promise<string> {
  const { store, place } = toStore(option)
  const ids = await newestIds(store, back)
  const found = ids.at(back)
  if (found !== undefined) return found
  const newest = ids.length === 1 ? 'is only one recording' : `are only ${ids.length} recordings`
  throw new TraceNotFoundError({
    wanted,
    nearest: [],
    problem: ids.length === 0 ? `There is no recording in ${place}.` : `There ${newest} in ${place}.`,
    advice: 'Record a run of your agent with createRecorder, or pass the directory of its recordings: --store <dir>',
  })
}
