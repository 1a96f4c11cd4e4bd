/** The thread that keeps runs: it decodes, parses, redacts and writes what the agents' thread hands over. Loaded by `log-thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { createDirectoryStore } from '../../stores/directory-store.ts'
import { StoredRun } from '../../stores/stored-run.ts'
import type { TraceStore } from '../../stores/trace-store.ts'
import { RowKeeper } from '../keep/row-keeper.ts'
import { createRuleSet, type RuleSet } from '../redaction/rule-set.ts'
import { type Delivered, readBatch } from './batch.ts'
import type { FromWorker, ToWorker, WorkerData } from './messages.ts'

const written = new Int32Array((workerData as WorkerData | null)?.progress ?? new SharedArrayBuffer(4))
const recorders = new Map<number, { readonly store: TraceStore; readonly ruleSet: RuleSet; readonly asks: boolean }>()
const runs = new Map<number, Kept>()
/** Runs that ended, of which it is not decided yet whether they are kept. */
const undecided = new Map<number, Kept>()
/** Questions that are answered when it is. */
let questions: number[] = []

interface Kept {
  asks: boolean
  keeper: RowKeeper | undefined
  failure: { readonly error: unknown } | undefined
}

parentPort?.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'recorder': {
      const { recorder, directory, redact, asks } = message
      recorders.set(recorder, { store: createDirectoryStore(directory), ruleSet: createRuleSet(redact), asks })
      return
    }
    case 'batch':
      keepBatch(message.memory, message.length)
      Atomics.store(written, 0, message.sequence)
      Atomics.notify(written, 0)
      return
    case 'decision': {
      const kept = undecided.get(message.run)
      undecided.delete(message.run)
      if (kept !== undefined) close(message.run, kept, message.isKept)
      answer()
      return
    }
    case 'recorder-closed':
      void recorders.get(message.recorder)?.store.flush?.()
      recorders.delete(message.recorder)
      return
    case 'ask':
      questions.push(message.question)
      answer()
  }
})
tell({ kind: 'ready' })

function keepBatch(memory: ArrayBuffer, length: number): void {
  const touched = new Set<Kept>()
  for (const delivered of readBatch(memory, length)) {
    const kept = keep(delivered)
    if (kept !== undefined) touched.add(kept)
  }
  for (const kept of touched) attempt(kept, () => kept.keeper?.flush())
}

/** The run that was added to; undefined where it was closed. */
function keep({ run, message, body }: Delivered): Kept | undefined {
  if (message.kind === 'begin') {
    const kept: Kept = { keeper: undefined, failure: undefined, asks: false }
    runs.set(run, kept)
    attempt(kept, () => {
      const recorder = recorders.get(message.recorder)
      if (recorder === undefined) throw new Error(`There is no recorder ${message.recorder}.`)
      kept.asks = recorder.asks
      kept.keeper = new RowKeeper(message.header, recorder.ruleSet, (header) => new StoredRun(recorder.store, header))
    })
    return kept
  }
  const kept = runs.get(run)
  if (kept === undefined) return undefined
  if (message.kind !== 'close') {
    if (kept.failure === undefined) attempt(kept, () => kept.keeper?.take(message, body))
    return kept
  }
  runs.delete(run)
  const summary = kept.asks ? kept.keeper?.end() : undefined
  if (summary === undefined) close(run, kept, true)
  else {
    undecided.set(run, kept)
    tell({ kind: 'ended', run, summary })
  }
  return undefined
}

function close(run: number, kept: Kept, isKept: boolean): void {
  attempt(kept, () => kept.keeper?.close(() => isKept))
  tell({ kind: 'closed', run, isKept, ...(kept.failure === undefined ? {} : { failure: describe(kept.failure.error) }) })
}

/** Answers once everything that was handed over before is written, or removed. */
function answer(): void {
  if (undecided.size > 0) return
  for (const { store } of recorders.values()) void store.flush?.()
  for (const question of questions) tell({ kind: 'answer', question })
  questions = []
}

function attempt(kept: Kept, body: () => void): void {
  try {
    body()
  } catch (error) {
    kept.failure ??= { error }
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? String(error) : JSON.stringify(error)
}

function tell(message: FromWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is no window
  parentPort?.postMessage(message)
}
