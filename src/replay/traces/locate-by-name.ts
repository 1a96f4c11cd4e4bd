import { ownCommand } from '../../stores/package-manager.ts'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { type NamedStore, toStore } from '../../stores/default-store.ts'
import { listIds } from '../../stores/list-ids.ts'
import { displayPath } from '../../node/display-path.ts'
import { type GoldenDirectory, createGoldenDirectory } from '../../stores/golden-directory.ts'
import { readTraceFile } from '../../stores/read-trace-file.ts'
import type { StoredTrace } from '../../stores/trace-store.ts'
import { TraceAmbiguousError } from './trace-ambiguous-error.ts'
import { TraceNotFoundError } from './trace-not-found-error.ts'
import { type LocateOptions, isTraceFile, withSlashes } from './locate-trace.ts'
import { nearestNames } from './nearest-names.ts'

/**
 * Finds a trace by a golden's name, a recording's id or its unique beginning, the id of its OpenTelemetry trace, or a path without a trace's
 * extension.
 *
 * @throws TraceNotFoundError, which lists the nearest names; TraceAmbiguousError if there are several candidates.
 */
export async function locateByName(wanted: string, options: LocateOptions): Promise<StoredTrace> {
  const goldens = createGoldenDirectory()
  const recordings = toStore(options.store)
  const found =
    (await findGolden(wanted, goldens)) ??
    (await findRecording(wanted, recordings)) ??
    (/[/\\]/.test(wanted) ? await readTraceFile(wanted) : undefined)
  return found ?? (await failForName(wanted, goldens, recordings))
}

/** How many ids are read to suggest those that a user may have meant: a store may have millions. */
const MOST_CANDIDATES = 100

/** An id of an OpenTelemetry trace. */
const TRACE_ID = /^[0-9a-f]{32}$/

async function findGolden(wanted: string, goldens: GoldenDirectory): Promise<StoredTrace | undefined> {
  const [name, ...others] = await goldens.find(withSlashes(wanted))
  if (name === undefined) return undefined
  if (others.length > 0) throw new TraceAmbiguousError({ wanted, candidates: [name, ...others], what: 'golden traces' })
  return goldens.read(name)
}

async function findRecording(wanted: string, { store, place }: NamedStore): Promise<StoredTrace | undefined> {
  if (wanted === '' || /[/\\]/.test(wanted)) return undefined
  const exact = await store.read(wanted)
  if (exact !== undefined) return exact
  const limit = MOST_CANDIDATES + 1
  const traced = TRACE_ID.test(wanted) ? await store.find?.({ traceId: wanted, limit }) : undefined
  const ids = traced === undefined ? await listIds(store, { prefix: wanted, limit }) : traced.runs.map((run) => run.id)
  const [id, ...others] = ids
  if (id === undefined) return undefined
  const candidates = ids.slice(0, MOST_CANDIDATES)
  if (others.length > 0)
    throw new TraceAmbiguousError({ wanted, candidates, what: `recordings in ${place}`, hasMore: ids.length === limit })
  const found = await store.read(id)
  if (found !== undefined) return found
  const problem = `${place} still lists the recording ${id}, but no longer holds it.`
  const advice = 'Something else removed it, for example a lifecycle rule of the bucket.'
  throw new TraceNotFoundError({ wanted, nearest: [], problem, advice })
}

/** Fails for a path without a trace, with the nearest paths. */
export async function failForPath(wanted: string): Promise<never> {
  const goldens = createGoldenDirectory()
  const folder = path.dirname(wanted)
  const beside = (await readdir(folder).catch(() => [])).filter(isTraceFile).map((name) => path.join(folder, name))
  const files = [...beside, ...(await goldens.list()).map(goldens.fileOf)].map(displayPath)
  const shown = displayPath(wanted)
  const advice = `To see all traces: ${ownCommand('list')}`
  throw new TraceNotFoundError({ wanted, nearest: nearestNames(shown, files), problem: `There is no file ${shown}.`, advice })
}

async function failForName(wanted: string, goldens: GoldenDirectory, { store, place }: NamedStore): Promise<never> {
  const names = await goldens.list()
  const ids = await listIds(store, { newest: true, limit: MOST_CANDIDATES })
  const folder = displayPath(goldens.directory)
  const problem = `There is no golden trace "${wanted}" in ${folder}, and no recording with that id in ${place}.`
  const isEmpty = names.length === 0 && ids.length === 0
  const advice = isEmpty
    ? `Both are empty: record a run of your agent with createRecorder, then promote it: ${ownCommand('promote latest --name <name>')}`
    : `To see all traces: ${ownCommand('list')}`
  throw new TraceNotFoundError({ wanted, nearest: nearestNames(wanted, [...names, ...ids]), problem, advice })
}
