import path from 'node:path'
import { loadConfig } from '../config/load-config.ts'
import { readTrace } from '../replay/read-trace.ts'
import type { ReplayOptions } from '../replay/replay-options.ts'
import { createGoldenDirectory } from '../stores/golden-directory.ts'
import { recordInPlace } from './record-in-place.ts'

/** Records the golden of that name, or at that path, anew. A recording is none, and stays. */
export async function recordNamed(
  wanted: string,
  agent: (input: never, context: unknown) => unknown,
  { context }: Pick<ReplayOptions, 'context'>,
): Promise<void> {
  const trace = await readTrace(wanted)
  const file = await fileOf(wanted)
  if (trace.header.golden === undefined || file === undefined) return
  await recordInPlace(file, trace, agent, (await loadConfig(path.dirname(file))).config, context)
}

async function fileOf(wanted: string): Promise<string | undefined> {
  if (wanted.endsWith('.jsonl')) return wanted
  const goldens = createGoldenDirectory()
  const [name] = await goldens.find(wanted)
  return name === undefined ? undefined : goldens.fileOf(name)
}
