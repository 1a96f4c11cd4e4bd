import { tool } from 'goldenrun'
import type { Metric } from '../figures.ts'
import { median } from '../rounds.ts'
import { contestants } from './contestants.ts'
import type { Sizes } from './sizes.ts'
import { work } from './workload.ts'

/** A fleet of 1.4 million runs a day starts 16 per second on average, and five times as many in its busiest hour. */
const NEEDED = 80

const look = tool('look', {}, async (order: { id: string }) => ({
  ...order,
  status: 'packed',
  items: Array.from({ length: 20 }, () => 'lamp'),
}))
const pay = tool('pay', { effect: 'write' }, async (order: { id: string }) => ({ ...order, paid: true }))

/** How often the measurement is repeated: the median counts. */
const INGEST_ROUNDS = 3

/** Measures how many runs are recorded per second, all of them written and indexed. */
export async function measureIngest(note: (line: string) => void, port: number, { ingestRuns }: Sizes): Promise<Record<string, Metric>> {
  note(`Recording ${ingestRuns} runs as fast as they come.`)
  const rates = { none: [] as number[], goldenrun: [] as number[] }
  /** CPU time of all threads per run, in milliseconds. */
  const cpuOfRun: number[] = []
  for (let round = 0; round < INGEST_ROUNDS; round += 1) {
    for (const name of ['none', 'goldenrun'] as const) {
      const { surround, close } = await contestants[name]()
      const cpu = process.cpuUsage()
      const started = performance.now()
      await work({ kind: 'json', calls: 3, runs: ingestRuns, arrival: { concurrency: 64 } }, port, (agent) =>
        surround(() => runOf(agent, port)),
      )
      await close()
      const seconds = (performance.now() - started) / 1000
      const { user, system } = process.cpuUsage(cpu)
      rates[name].push(ingestRuns / seconds)
      if (name === 'goldenrun') cpuOfRun.push((user + system) / 1000 / ingestRuns)
    }
  }
  return {
    ingest_runs_per_second: {
      value: 2000 / median(cpuOfRun),
      unit: 'runs/s',
      better: 'more',
      goal: NEEDED,
      against:
        `runs of twelve steps (three JSON answers, three of 200 events, six tool calls), ${ingestRuns} of them, 64 at a time, until everything is written and indexed, including the agents' own work: what two otherwise idle cores allow, at ${median(cpuOfRun).toFixed(0)} ms of CPU time a run; ` +
        `on the wall, with the provider on the same cores, ${median(rates.goldenrun).toFixed(0)} against ${median(rates.none).toFixed(0)} without recording`,
    },
  }
}

/** Runs a small agent: the given three model calls, three streamed ones, and tools. */
async function runOf(agent: () => Promise<void>, port: number): Promise<void> {
  await agent()
  for (let call = 0; call < 3; call += 1) {
    await work({ kind: 'sse', calls: 1, runs: 1, arrival: { concurrency: 1 } }, port, (streamed) => streamed())
    const order = { id: `ord_${call}` }
    await look(order)
    await pay(order)
  }
}
