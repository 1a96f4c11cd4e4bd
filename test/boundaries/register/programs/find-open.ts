import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

/** What a module does with what it took hold of when it loaded. */
export interface Probes {
  /** Draws and clocks: none gives the same later. */
  readonly reads: Readonly<Record<string, () => unknown>>
  /** Each resolves to nothing. */
  readonly waits: Readonly<Record<string, () => Promise<void>>>
}

/** What of goldenrun a probe is tried with; handed in, since it matters when it is loaded. */
export interface Tools {
  readonly createRecorder: (typeof import('../../../../src/record/recorder.ts'))['createRecorder']
  readonly readTrace: (typeof import('../../../../src/replay/traces/read-trace.ts'))['readTrace']
  readonly replay: (typeof import('../../../../src/replay/replay.ts'))['replay']
}

/** Loads what probes are tried with. */
export async function loadTools(): Promise<Tools> {
  const { createRecorder } = await import('../../../../src/record/recorder.ts')
  const { readTrace } = await import('../../../../src/replay/traces/read-trace.ts')
  const { replay } = await import('../../../../src/replay/replay.ts')
  return { createRecorder, readTrace, replay }
}

/** Records and replays each probe, and gives for each whether its replay gave what was recorded. */
export async function tryProbes({ reads, waits }: Probes, tools: Tools): Promise<Record<string, boolean>> {
  // A signal's own timer does not keep the process alive.
  const alive = setInterval(() => undefined, 1000)
  const held: Record<string, boolean> = {}
  for (const [name, probe] of Object.entries(reads)) held[name] = await isHeld(probe, false, tools)
  for (const [name, probe] of Object.entries(waits)) held[`wait: ${name}`] = await isHeld(probe, true, tools)
  clearInterval(alive)
  return held
}

async function isHeld(probe: () => unknown, waits: boolean, { createRecorder, readTrace, replay }: Tools): Promise<boolean> {
  const store = await mkdtemp(join(tmpdir(), 'goldenrun-probe-'))
  try {
    const recorder = createRecorder({ store })
    const recorded = await recorder.run({ agent: 'probe', input: {} }, async () => await probe())
    await recorder.close()
    // Later by the clock, whatever its precision.
    await new Promise((resolve) => setTimeout(resolve, 5))
    const [name = ''] = await readdir(store)
    const trace = await readTrace(join(store, name))
    const { outcome } = await replay(trace, async () => await probe())
    if (waits && !trace.rows.some(({ kind }) => kind === 'timer')) return false
    return outcome.status === 'returned' && isDeepStrictEqual(outcome.output, recorded)
  } finally {
    await rm(store, { recursive: true })
  }
}
