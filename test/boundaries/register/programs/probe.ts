/** Loads the probes, then goldenrun; records and replays each probe, and prints the names of those whose replay did not give what was recorded. */
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

interface Probes {
  readonly reads: Readonly<Record<string, () => unknown>>
  readonly waits: Readonly<Record<string, () => Promise<void>>>
}

// A signal's own timer does not keep the process alive.
const alive = setInterval(() => undefined, 1000)
const commonJs: Probes = createRequire(import.meta.url)('./probes.cjs')
const modules: Probes = await import(new URL('probes.mjs', import.meta.url).href)
const { createRecorder } = await import('../../../../src/record/recorder.ts')
const { readTrace } = await import('../../../../src/replay/read-trace.ts')
const { replay } = await import('../../../../src/replay/replay.ts')

console.log(JSON.stringify({ commonJs: await findOpen(commonJs), modules: await findOpen(modules) }))
clearInterval(alive)

async function findOpen({ reads, waits }: Probes): Promise<string[]> {
  const open: string[] = []
  for (const [name, probe] of [...Object.entries(reads), ...Object.entries(waits)])
    if (!(await isHeld(probe, name in waits))) open.push(name)
  return open
}

async function isHeld(probe: () => unknown, waits: boolean): Promise<boolean> {
  const store = await mkdtemp(join(tmpdir(), 'goldenrun-probe-'))
  try {
    const recorder = createRecorder({ store })
    const recorded = await recorder.run({ agent: 'probe', input: {} }, async () => await probe())
    await recorder.close()
    // Later by the clock, whatever its precision.
    await new Promise((resolve) => setTimeout(resolve, 5))
    const trace = await readTrace(join(store, readdirSync(store)[0] ?? ''))
    const { outcome } = await replay(trace, async () => await probe())
    if (waits && !trace.rows.some(({ kind }) => kind === 'timer')) return false
    return outcome.status === 'returned' && isDeepStrictEqual(outcome.output, recorded)
  } finally {
    await rm(store, { recursive: true })
  }
}
