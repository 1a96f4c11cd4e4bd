import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createRecorder, currentRun } from 'goldenrun'
import { readTrace, type Trace } from 'goldenrun/replay'
import { promote } from '../../src/goldens/promote.ts'

/** A golden that was recorded and promoted for a measurement. */
export interface BenchGolden {
  readonly trace: Trace
  /** The length of its file. */
  readonly bytes: number
  /** The path of its file, which may be gone: see `keepIn`. */
  readonly file: string
}

/** What to record, and where. */
export interface BenchRun<Input, Context> {
  readonly input: Input
  readonly context?: Context
  /** A folder that keeps the golden's file, for measurements of reading it. Default: a temporary folder, which is removed. */
  readonly keepIn?: string
}

/** Records a run of an agent, promotes the recording, and reads the golden. */
export async function recordGolden<Input, Context>(
  { keepIn, ...run }: BenchRun<Input, Context>,
  agent: (input: Input, context: Context) => unknown,
): Promise<BenchGolden> {
  if (keepIn !== undefined) return await recordIn(keepIn, run, agent)
  const folder = await mkdtemp(path.join(tmpdir(), 'goldenrun-bench-'))
  try {
    return await recordIn(folder, run, agent)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function recordIn<Input, Context>(
  folder: string,
  run: Omit<BenchRun<Input, Context>, 'keepIn'>,
  agent: (input: Input, context: Context) => unknown,
): Promise<BenchGolden> {
  const store = path.join(folder, 'runs')
  const recorder = createRecorder({ store })
  let id = ''
  await recorder.run({ agent: 'bench', ...run }, (input: Input, context: Context) => {
    id = currentRun()?.id ?? ''
    return agent(input, context)
  })
  await recorder.close()
  const { file } = await promote(await readTrace(id, { store }), { name: 'golden', directory: path.join(folder, 'golden-traces') })
  return { trace: await readTrace(file), bytes: (await stat(file)).size, file }
}
