import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RecorderStats } from '../../src/record/recorder-types.ts'
import { idOf, sampleRun, writeRun } from '../../src/stores/conformance/sample-runs.ts'
import type { TraceStore } from '../../src/stores/trace-store.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { EndRow } from '../../src/trace/rows.ts'
import { type FaultyStore, loadProgram } from './faulty-stores.ts'
import { FAULT_KINDS, type Fault } from './fault-kinds.ts'

/** How a process that records comes to its end. */
export type Ending = 'closes' | 'exits' | 'is killed'

/** Every end. */
export const ENDINGS: readonly Ending[] = ['closes', 'exits', 'is killed']

/** What a process came to, and what the store has afterwards. */
export interface Tried {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  /** What each agent came to, as JSON, in order. */
  readonly results: readonly string[]
  /** The counters as they were last told. */
  readonly counted: Partial<RecorderStats>
  /** How many runs were begun. */
  readonly begun: number
  readonly errors: string
  /** The runs that the store has to their ends. */
  readonly stored: number
  /** What of the store is not as it has to be: each run in it can be read, was begun, and came to what it came to. */
  readonly wrong: readonly string[]
}

/** How long a process may take until it has ended by itself, in milliseconds. Far more than it needs on a busy machine. */
const LONGEST = 120_000

/** A line that `load-program.ts` says. */
interface Said {
  readonly run?: string
  readonly number?: number
  readonly result?: unknown
  readonly counted?: Partial<RecorderStats>
  readonly ready?: true
}

/**
 * Has a process record under load while its store fails.
 *
 * @param store An empty store.
 * @param ending How the process ends. It is killed so many milliseconds after the fault has begun: `killAfter`.
 */
export async function tryFault(store: FaultyStore, fault: Fault, ending: Ending, killAfter: number): Promise<Tried> {
  const { options, args, env } = store
  // Where a fault lasts, there is nothing to wait for.
  const CLOSE_MILLISECONDS = FAULT_KINDS[fault].passes ? '30000' : '1000'
  const ended = await runLoad([...options, loadProgram, ending, ...args], { ...env, CLOSE_MILLISECONDS }, async (kill) => {
    await store.set(fault)
    if (ending === 'is killed') void sleep(killAfter).then(kill)
  })
  await store.set(undefined)
  using opened = store.open()
  const { stored, wrong } = await readStored(opened.store, ended.runs)
  wrong.push(...(await worksAgain(opened.store)))
  return { ...ended, begun: ended.runs.size, stored, wrong }
}

/** What the agents come to without a recorder. */
export async function resultsAlone(): Promise<readonly string[]> {
  return (await runLoad([loadProgram, 'closes'], {}, async () => undefined)).results
}

interface Ended extends Pick<Tried, 'status' | 'signal' | 'results' | 'counted' | 'errors'> {
  /** The number of each run, by its id. */
  readonly runs: ReadonlyMap<string, number>
}

/** @param onReady Called once the first runs are stored, with the function that kills the process; it goes on afterwards. */
async function runLoad(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  onReady: (kill: () => void) => Promise<void>,
): Promise<Ended> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: 'pipe' })
  const late = setTimeout(() => child.kill('SIGABRT'), LONGEST)
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  const errors = text(child.stderr)
  const runs = new Map<string, number>()
  const results: string[] = []
  let counted: Partial<RecorderStats> = {}
  for await (const line of createInterface(child.stdout)) {
    const said = JSON.parse(line) as Said
    if (said.run !== undefined && said.number !== undefined) runs.set(said.run, said.number)
    if ('result' in said) results.push(JSON.stringify(said.result))
    counted = said.counted ?? counted
    if (said.ready !== true) continue
    await onReady(() => child.kill('SIGKILL'))
    child.stdin.write('on\n')
  }
  const [status, signal] = await closed
  clearTimeout(late)
  return { status, signal, results, counted, runs, errors: await errors }
}

/** Reads every run of a store. */
async function readStored(store: TraceStore, runs: ReadonlyMap<string, number>): Promise<{ stored: number; wrong: string[] }> {
  const wrong: string[] = []
  let stored = 0
  for (const id of await store.list()) {
    const number = runs.get(id)
    if (number === undefined) wrong.push(`${id} was not begun`)
    try {
      const read = await store.read(id)
      const { rows } = decodeTrace(read?.text ?? '', read?.file ?? id, () => '')
      const end = rows.find((row) => row.kind === 'end')
      if (end === undefined) continue
      stored += 1
      if (numberOf(end) !== number) wrong.push(`${id} is not run ${number}, but came to ${JSON.stringify(end)}`)
    } catch (error) {
      wrong.push(`${id} cannot be read: ${String(error)}`)
    }
  }
  const { unreadable = [] } = (await store.find?.({})) ?? {}
  return { stored, wrong: [...wrong, ...unreadable.map((id) => `${id} cannot be found`)] }
}

/** The number of an agent, by what it came to. */
function numberOf(end: EndRow): number {
  if (end.error === undefined) return (end.output as { readonly number: number }).number
  return Number(/no luck with (\d+)/.exec(JSON.stringify(end.error))?.[1])
}

/** Writes one more run. */
async function worksAgain(store: TraceStore): Promise<string[]> {
  writeRun(store, sampleRun(1))
  await store.flush?.()
  const ids = await store.list()
  return ids.includes(idOf(1)) ? [] : ['the store takes no more runs']
}
