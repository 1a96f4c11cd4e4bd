import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createRecorder, currentRun } from 'goldenrun'
import { readTrace, type Trace } from 'goldenrun/replay'
import { promote } from '../../src/replay/promote.ts'

/** A golden that was recorded and promoted for a measurement. Its file is gone. */
export interface BenchGolden {
  readonly trace: Trace
  /** How long its file was. */
  readonly bytes: number
}

/** Records a run of an agent, promotes the recording, and reads the golden. */
export async function recordGolden<Input, Context>(
  run: { readonly input: Input; readonly context?: Context },
  agent: (input: Input, context: Context) => unknown,
): Promise<BenchGolden> {
  const folder = await mkdtemp(path.join(tmpdir(), 'goldenrun-bench-'))
  try {
    const store = path.join(folder, 'runs')
    const recorder = createRecorder({ store })
    let id = ''
    await recorder.run({ agent: 'bench', ...run }, (input: Input, context: Context) => {
      id = currentRun()?.id ?? ''
      return agent(input, context)
    })
    await recorder.close()
    const { file } = await promote(await readTrace(id, { store }), { name: 'golden', directory: path.join(folder, 'golden-traces') })
    return { trace: await readTrace(file), bytes: (await stat(file)).size }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
