import { createRecorder, currentRun } from 'goldenrun'
import { readTrace, replay } from 'goldenrun/replay'
import { createTemporaryDirectory } from '../../test/support/temporary-directory.ts'
import type { Metrics } from '../figures.ts'
import { measureRounds, median, medianRatio } from '../rounds.ts'
import type { BenchedDriver } from './database-drivers.ts'
import type { DoorsSizes } from './sizes.ts'

/** Measures the cost of recording and replaying the requests of a database driver or a channel's client. */
export async function measureDriver({ name, open, ask, close, stub }: BenchedDriver, { queries, rounds }: DoorsSizes): Promise<Metrics> {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.path })
  await recorder.start()
  const client = await open()
  const agent = async (): Promise<void> => {
    for (let query = 0; query < queries; query += 1) await ask(client, query)
  }
  let id = ''
  const record = async (): Promise<void> => {
    await recorder.run({ agent: 'bench', input: undefined }, async () => {
      id = currentRun()?.id ?? ''
      await agent()
    })
    await recorder.flush()
  }
  const { plain, recorded } = await measureRounds({ plain: agent, recorded: record }, rounds)
  const trace = await readTrace(id, { store: directory.path })
  const { stubbed, replayed } = await measureRounds(
    {
      stubbed: async () => {
        for (let query = 0; query < queries; query += 1) await stub(query)
      },
      replayed: async () => {
        const { divergences } = await replay(trace, agent)
        if (divergences.length > 0) throw new Error(`It diverged: ${JSON.stringify(divergences[0])}`)
      },
    },
    rounds,
  )
  await recorder.close()
  await close(client)
  const each = (times: readonly number[]): string => `${((median(times) / queries) * 1000).toFixed(0)} µs`
  const bytes = trace.rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0)
  return {
    [`${name}_record_cpu`]: {
      value: medianRatio(recorded.threadCpu, plain.threadCpu),
      unit: 'x',
      against: `the same calls outside of every run, CPU time of the agents' thread: ${each(recorded.threadCpu)} a call against ${each(plain.threadCpu)}; of all threads ${each(recorded.cpu)} against ${each(plain.cpu)}; on the wall ${each(recorded.wall)} against ${each(plain.wall)}`,
    },
    [`${name}_step_vs_stub`]: {
      value: medianRatio(replayed.wall, stubbed.wall),
      unit: 'x',
      against: `a stub that answers in the next turn of the event loop: ${each(replayed.wall)} a call against ${each(stubbed.wall)} on the wall`,
    },
    [`${name}_bytes_per_query`]: { value: Math.round(bytes / queries), unit: 'B', against: 'as JSON, before compression' },
  }
}
