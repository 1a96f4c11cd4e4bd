/** The thread that keeps runs: it decodes, parses, redacts and writes the entries that the agents' thread hands over. Loaded by `log-thread.ts`. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { Variables } from '../../node/variables.ts'
import { createDirectoryStore } from '../../stores/directory-store.ts'
import { StoredRun } from '../../stores/stored-run.ts'
import { createSecretDirectory } from '../../stores/secrets/secret-store.ts'
import type { TraceStore } from '../../stores/trace-store.ts'
import type { RunRow } from '../../trace/run-row.ts'
import type { Row } from '../../trace/rows.ts'
import { RunSecrets } from '../secrets/run-secrets.ts'
import { RowKeeper } from '../keep/row-keeper.ts'
import { createRuleSet, type RuleSet } from '../../redaction/rule-set.ts'
import type { EventBuilder } from '../telemetry/event-builder.ts'
import { goWithAgents, lowerThreadPriority } from './thread-priority.ts'
import type { Delivered } from './run-message.ts'
import { MessageReader } from './message-reader.ts'
import { ASLEEP, AWAKE, type FromWorker, LOOKS, type RecorderSettings, STATE, type ToWorker, type WorkerData } from './port-messages.ts'

const attention = new Int32Array((workerData as WorkerData | null)?.attention ?? new SharedArrayBuffer(8))
const reader = new MessageReader()
const recorders = new Map<number, Recorder>()
/** Recorders that hand over nothing more. Their last entries may still be unread. */
let closed: number[] = []
const runs = new Map<number, Kept>()
/** The environment of the agents. */
let variables = new Variables({})
/** Runs that have ended and await the decision whether they are kept. */
const undecided = new Map<number, Kept>()
/** Questions to answer once every decision has been made. */
let questions: number[] = []

/** The event builder reads answers. It is loaded with the first recorder that has telemetry; nothing is read in the meantime. */
let Teller: typeof EventBuilder | undefined
let isTellerAsked = false
let isLoading = false

/** The interval between looks for messages, in milliseconds, and after how many looks in vain the thread stops looking until it is woken. */
const lookEvery = 100
const mostLooks = 2
let looks = 0
let timer: NodeJS.Timeout | undefined
/** Set when the thread has to look at once. */
let isAsked = false
let isLooking = false
/** Set when the thread does not yield to others. */
let isHurried = false

/** The messages to send next. */
let outbox: FromWorker[] = []

interface Recorder extends Pick<RecorderSettings, 'asks' | 'tells' | 'secrets'> {
  readonly store: TraceStore
  readonly ruleSet: RuleSet
}

interface Kept {
  asks: boolean
  keeper: RowKeeper | undefined
  builder: EventBuilder | undefined
  failure: { readonly error: unknown } | undefined
}

parentPort?.on('message', (message: ToWorker) => {
  take(message)
  if (isAsked) look()
  sendTold()
})
lowerThreadPriority()
tell({ kind: 'ready' })
sendTold()

function take(message: ToWorker): void {
  switch (message.kind) {
    case 'recorder': {
      const { directory, redact, asks, tells, secrets } = message.settings
      const store = openStore(message.recorder, directory)
      recorders.set(message.recorder, { store, ruleSet: createRuleSet(redact), asks, tells, secrets })
      if (tells !== undefined && !isTellerAsked) void loadTeller()
      return
    }
    case 'environment':
      variables = new Variables(message.values)
      return
    case 'page':
      reader.add(message.memory)
      return
    case 'wake':
      looks = 0
      timer ??= setTimeout(lookAgain, lookEvery)
      return
    case 'look':
      isAsked = true
      return
    case 'hurry':
      isHurried = true
      isAsked = true
      goWithAgents()
      return
    case 'decision': {
      const kept = undecided.get(message.run)
      undecided.delete(message.run)
      if (kept !== undefined) close(message.run, kept, message.isKept)
      answer()
      return
    }
    case 'recorder-closed':
      closed.push(message.recorder)
      isAsked = true
      return
    case 'ask':
      questions.push(message.question)
      isAsked = true
  }
}

function openStore(recorder: number, directory: string): TraceStore {
  const store = createDirectoryStore(directory)
  store.reports((id, error, lost = 'recording') => {
    tell({ kind: 'store-failure', recorder, id, error: describe(error), lost })
    // The index is written by its own timer.
    if (!isLooking) queueMicrotask(sendTold)
  })
  return store
}

function lookAgain(): void {
  timer = undefined
  looks = look() ? 0 : looks + 1
  if (looks >= mostLooks) {
    Atomics.store(attention, STATE, ASLEEP)
    // A message that arrived just before this triggered no wake-up.
    if (look()) Atomics.store(attention, STATE, AWAKE)
  }
  if (Atomics.load(attention, STATE) === AWAKE) timer ??= setTimeout(lookAgain, lookEvery)
  sendTold()
}

/** Keeps the messages that have arrived. Returns whether there were any. */
function look(): boolean {
  let hasCome = false
  isLooking = true
  do {
    isAsked = false
    for (const messages of reader.read()) {
      takePosted()
      if (isLoading) break
      hasCome = true
      keepAll(messages)
      sendTold()
    }
    // More may have been written before `isAsked` was set.
  } while (isAsked)
  isLooking = false
  Atomics.add(attention, LOOKS, 1)
  Atomics.notify(attention, LOOKS)
  if (!hasCome) calmDown()
  if (!isLoading) forgetClosed()
  answer()
  return hasCome
}

/** Called when everything has been read. */
function calmDown(): void {
  if (isHurried) lowerThreadPriority()
  isHurried = false
}

/** Called when everything that the closed recorders handed over has been read. */
function forgetClosed(): void {
  for (const recorder of closed) {
    void recorders.get(recorder)?.store.flush?.()
    recorders.delete(recorder)
    tell({ kind: 'recorder-forgotten', recorder })
  }
  closed = []
}

/** Takes messages posted before a run's message was written (its recorder, the next page), which may still be pending. */
function takePosted(): void {
  if (parentPort === null) return
  for (let next = receiveMessageOnPort(parentPort); next !== undefined; next = receiveMessageOnPort(parentPort)) {
    take(next.message as ToWorker)
  }
}

async function loadTeller(): Promise<void> {
  isTellerAsked = true
  isLoading = true
  // A bundle may have omitted this module: each run then gets a failure event.
  const loaded = await import('../telemetry/event-builder.ts').catch(() => undefined)
  Teller = loaded?.EventBuilder
  isLoading = false
  look()
  sendTold()
}

function keepAll(messages: Iterable<Delivered>): void {
  const touched = new Map<number, Kept>()
  for (const delivered of messages) {
    const kept = keep(delivered)
    if (kept !== undefined) touched.set(delivered.run, kept)
  }
  for (const [run, kept] of touched) {
    attempt(kept, () => kept.keeper?.flush())
    tellOf(run, kept)
  }
}

function tellOf(run: number, { builder }: Kept): void {
  const events = builder?.take() ?? []
  if (events.length > 0) tell({ kind: 'events', run, events })
}

function createEventBuilder(run: number, { tells }: Recorder): EventBuilder | undefined {
  if (Teller !== undefined) return new Teller(tells?.content === true)
  tell({ kind: 'events', run, events: [{ kind: 'failure', problem: 'the code that makes telemetry events could not be loaded' }] })
  return undefined
}

function secretsOf(run: string, { secrets }: Recorder): RunSecrets | undefined {
  return secrets && new RunSecrets(run, createSecretDirectory(secrets.directory), secrets.key)
}

/** Keeps an entry. Returns the run that it was added to, or undefined if that was closed. */
function keep({ run, message, body }: Delivered): Kept | undefined {
  if (message.kind === 'begin') {
    const kept: Kept = { keeper: undefined, builder: undefined, failure: undefined, asks: false }
    runs.set(run, kept)
    attempt(kept, () => {
      const recorder = recorders.get(message.recorder)
      if (recorder === undefined) throw new Error(`There is no recorder ${message.recorder}.`)
      kept.asks = recorder.asks
      if (message.isObserved) kept.builder = createEventBuilder(run, recorder)
      const onRow = (row: Row): void => kept.builder?.add(row)
      const open = (header: RunRow): StoredRun => new StoredRun(recorder.store, header, onRow)
      kept.keeper = new RowKeeper(message.header, recorder.ruleSet, open, () => variables, secretsOf(message.header.id, recorder))
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
  kept.builder?.end()
  tellOf(run, kept)
  tell({ kind: 'closed', run, isKept, ...(kept.failure === undefined ? {} : { failure: describe(kept.failure.error) }) })
}

/** Answers once everything handed over earlier is written or removed. */
function answer(): void {
  if (questions.length === 0 || isLoading || isLooking || undecided.size > 0) return
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
  outbox.push(message)
}

function sendTold(): void {
  if (outbox.length === 0) return
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is no window
  parentPort?.postMessage(outbox)
  outbox = []
}
