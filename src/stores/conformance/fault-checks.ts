import { deepStrictEqual, ok } from 'node:assert/strict'
import { realTimers } from '../../node/real-timers.ts'
import type { TraceStore } from '../trace-store.ts'
import { comparable, idOf, rowsOf, sampleRun, writeRun } from './sample-runs.ts'

/**
 * What a store's server or disk does in place of its work: refuses, never answers, takes half of what is written, does the work and loses the answer,
 * answers late, or answers later requests first.
 */
export type StoreFault = 'refuse' | 'hang' | 'half write' | 'lost answer' | 'slow' | 'wrong order'

/** Every fault. */
export const STORE_FAULTS: readonly StoreFault[] = ['refuse', 'hang', 'half write', 'lost answer', 'slow', 'wrong order']

/** How long a flush may take before the check lets go of the store, as a recorder does, in milliseconds. */
const LONGEST_FLUSH = 3_000

/**
 * Checks that a run which the store does not report is there, whole, and that the store works again after the fault.
 *
 * @param misbehave Begins the fault, or ends it.
 */
export async function losesNoRunUnseen(
  store: TraceStore,
  fault: StoreFault,
  misbehave: (fault: StoreFault | undefined) => unknown,
): Promise<void> {
  const lost = new Set<string>()
  store.reports?.((id, _error, what = 'recording') => void (what === 'recording' && lost.add(id)))
  writeRun(store, sampleRun(1))
  await store.flush?.()
  await misbehave(fault)
  for (const second of [2, 3, 4]) {
    try {
      writeRun(store, sampleRun(second))
    } catch {
      // The recorder counts the run as failed.
      lost.add(idOf(second))
    }
  }
  await flushOrAbandon(store)
  await misbehave(undefined)
  writeRun(store, sampleRun(5))
  await store.flush?.()
  for (const second of [1, 2, 3, 4, 5].filter((each) => !lost.has(idOf(each)))) await isWhole(store, second)
  ok(!lost.has(idOf(1)) && !lost.has(idOf(5)), 'A run that was written before or after the fault must not be reported as lost.')
  const ids = new Set(await store.list())
  ok(ids.has(idOf(1)) && ids.has(idOf(5)), 'The store has to list its runs after the fault.')
}

async function isWhole(store: TraceStore, second: number): Promise<void> {
  const { header, rows } = sampleRun(second)
  deepStrictEqual(
    await rowsOf(store, header.id),
    [header, ...rows].map(comparable),
    `The store reported no loss of the run ${header.id}, so it has to have all of it.`,
  )
}

/** Flushes a store. One that takes too long has to let go of what waits, and to end its flush. */
async function flushOrAbandon(store: TraceStore): Promise<void> {
  const flushing = (async () => store.flush?.())().then(
    () => true,
    () => true,
  )
  if (await isInTime(flushing)) return
  store.abandon?.()
  ok(await isInTime(flushing), `A flush has to end within ${LONGEST_FLUSH} ms once the store was abandoned.`)
}

async function isInTime(work: Promise<unknown>): Promise<boolean> {
  const late = new Promise<false>((resolve) => void realTimers.setTimeout(() => resolve(false), LONGEST_FLUSH).unref())
  return (await Promise.race([work, late])) !== false
}
