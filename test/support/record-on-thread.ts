import { createRecorder } from '../../src/record/recorder.ts'
import type { Recorder } from '../../src/record/recorder-types.ts'
import type { RecorderOptions } from '../../src/record/recorder-options.ts'

/** A recorder whose runs the thread keeps from now on: its first, of the agent `first`, is kept before the thread has started. */
export async function recordOnThread(directory: string, options: Partial<RecorderOptions> = {}): Promise<Recorder> {
  const recorder = createRecorder({ ...options, store: directory })
  await recorder.run({ agent: 'first', input: 0 }, () => 0)
  await recorder.flush()
  return recorder
}
