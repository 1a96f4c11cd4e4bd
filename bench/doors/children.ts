import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createRecorder } from 'goldenrun'
import { createTemporaryDirectory } from '../../test/support/temporary-directory.ts'
import type { Metrics } from '../figures.ts'
import { measureRounds, median, medianRatio } from '../rounds.ts'
import type { DoorsSizes } from './sizes.ts'

const run = promisify(execFile)

/** Measures the cost of recording child processes. */
export async function measureChildren({ children, rounds }: DoorsSizes): Promise<Metrics> {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.path })
  await recorder.start()
  const agent = async (): Promise<void> => {
    for (let child = 0; child < children; child += 1) await run('git', ['--version'])
  }
  const record = async (): Promise<void> => {
    await recorder.run({ agent: 'bench', input: undefined }, agent)
    await recorder.flush()
  }
  const { plain, recorded } = await measureRounds({ plain: agent, recorded: record }, rounds)
  await recorder.close()
  const each = (times: readonly number[]): string => `${((median(times) / children) * 1000).toFixed(0)} µs`
  return {
    child_record_cpu: {
      value: medianRatio(recorded.cpu, plain.cpu),
      unit: 'x',
      against: `the same processes outside of every run, CPU time of all threads of the agent's process: ${each(recorded.cpu)} a process against ${each(plain.cpu)}`,
    },
  }
}
