import { warn } from '../run/tell.ts'
import { sayUnrecorded } from '../run/other-runtime.ts'
import type { RunOptions } from './recorder-options.ts'
import type { Recorder } from './recorder-types.ts'
import { RunCounts } from './run-counts.ts'

/** Creates a recorder that runs agents without recording them: each run counts as failed. Warns with the reason once per process. */
export function createUnrecording(runtime: string): Recorder {
  const counts = new RunCounts()
  warnOnce(runtime)
  return {
    async run<Input, Context, Output>(
      { input, context }: RunOptions<Input, Context>,
      agent: (input: Input, context: Context) => Output,
    ): Promise<Awaited<Output>> {
      counts.begun += 1
      counts.ends('failed')
      return await agent(input, context as Context)
    },
    async start() {},
    stats: () => ({ ...counts.read(), active: 0, watching: 0, waitingBytes: 0 }),
    async flush() {},
    async close() {},
  }
}

let isSaid = false

function warnOnce(runtime: string): void {
  if (!isSaid) warn(sayUnrecorded(runtime))
  isSaid = true
}
