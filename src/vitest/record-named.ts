import { loadConfig } from '../config/load-config.ts'
import { readTrace } from '../replay/read-trace.ts'
import { recordAgain } from '../replay/record-again.ts'
import type { ReplayOptions } from '../replay/replay-options.ts'
import { createGoldenDirectory } from '../stores/golden-directory.ts'
import { writeFileAtomically } from '../stores/write-file-atomically.ts'
import { omitUndefined } from '../trace/json.ts'

/** Records the golden of that name, or at that path, anew. A recording is none, and stays. */
export async function recordNamed(
  wanted: string,
  agent: (input: never, context: unknown) => unknown,
  { context }: Pick<ReplayOptions, 'context'>,
): Promise<void> {
  const trace = await readTrace(wanted)
  const file = await fileOf(wanted)
  if (trace.header.golden === undefined || file === undefined) return
  const { env, compareHeaders, ambient, mute, redact } = (await loadConfig()).config
  const text = await recordAgain(trace, agent, { context, ...omitUndefined({ env, compareHeaders, ambient, mute, redact }) })
  await writeFileAtomically(file, text, { force: true })
}

async function fileOf(wanted: string): Promise<string | undefined> {
  if (wanted.endsWith('.jsonl')) return wanted
  const goldens = createGoldenDirectory()
  const [name] = await goldens.find(wanted)
  return name === undefined ? undefined : goldens.fileOf(name)
}
