/** Records runs of calls that change something, and as many runs of calls that do not, for the given number of rounds. Prints their main-thread time. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { useSource } from '../use-source.ts'

useSource()
const { createRecorder, tool } = await import('goldenrun')

/** In microseconds a call. */
interface Took {
  /** CPU time. */
  readonly cpu: number
  readonly wall: number
}

/** The main-thread times of a round. */
export interface SideEffectRound {
  readonly write: Took
  readonly read: Took
}

const CALLS = 5
const RUNS = 40
const WARM_UP = 5

const store = await mkdtemp(path.join(tmpdir(), 'goldenrun-bench-'))
const recorder = createRecorder({ store, limits: { closeMilliseconds: 600_000 } })
await recorder.start()
await recorder.flush()

const order = async ({ id }: { id: number }): Promise<number> => id
const tools = { write: tool('pay', { effect: 'write' }, order), read: tool('look', { effect: 'read' }, order) }

const measure = async (effect: 'write' | 'read'): Promise<Took> => {
  const call = tools[effect]
  const cpu = process.threadCpuUsage()
  const started = performance.now()
  for (let run = 0; run < RUNS; run += 1) {
    await recorder.run({ agent: 'bench', input: 0 }, async () => {
      for (let id = 0; id < CALLS; id += 1) await call({ id })
    })
  }
  const wall = (performance.now() - started) * 1000
  const { user, system } = process.threadCpuUsage(cpu)
  await recorder.flush()
  return { cpu: (user + system) / (RUNS * CALLS), wall: wall / (RUNS * CALLS) }
}

const rounds: SideEffectRound[] = []
for (let round = -WARM_UP; round < Number(process.argv[2]); round += 1) {
  const read = await measure('read')
  const write = await measure('write')
  if (round >= 0) rounds.push({ write, read })
}
await recorder.close()
await rm(store, { recursive: true, force: true })
console.log(JSON.stringify(rounds))
