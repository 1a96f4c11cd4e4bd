import { setTimeout as sleep } from 'node:timers/promises'
import { createRecorder } from '../../src/record/recorder.ts'
import type { RecorderOptions } from '../../src/record/recorder-options.ts'
import { listTraces } from '../../src/replay.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { createTemporaryDirectory } from './temporary-directory.ts'

/** Records a run of an agent, and waits until nothing of it is left. */
export async function recordLateRun(
  agent: () => unknown,
  limits: { lateMilliseconds?: number } = {},
  options: Pick<RecorderOptions, 'files'> = {},
): Promise<Trace> {
  await using directory = await createTemporaryDirectory()
  const store = directory.resolve('runs')
  const recorder = createRecorder({ store, thread: false, limits, ...options })
  try {
    await recorder.run({ agent: 'agent', input: null }, agent)
    while (recorder.stats().recorded === 0) await sleep(5)
  } finally {
    await recorder.close()
  }
  const [run] = await listTraces({ store })
  return await readTrace(run?.id ?? 'none', { store })
}
