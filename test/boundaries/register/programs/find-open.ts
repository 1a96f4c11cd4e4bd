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

/** Records each probe by a recorder for all, replays it, and gives for each whether its replay gave what was recorded. */
export async function tryProbes({ reads, waits }: Probes, tools: Tools): Promise<Record<string, boolean>> {
  // A signal's own timer does not keep the process alive.
  const alive = setInterval(() => undefined, 1000)
  const probes: Readonly<Record<string, () => unknown>> = {
    ...reads,
    ...Object.fromEntries(Object.entries(waits).map(([name, probe]) => [`wait: ${name}`, probe])),
  }
  const store = await mkdtemp(join(tmpdir(), 'goldenrun-probe-'))
  try {
    return await recordAndReplay(probes, store, tools)
  } finally {
    await rm(store, { recursive: true })
    clearInterval(alive)
  }
}

async function recordAndReplay(
  probes: Readonly<Record<string, () => unknown>>,
  store: string,
  { createRecorder, readTrace, replay }: Tools,
): Promise<Record<string, boolean>> {
  const recorder = createRecorder({ store })
  const recorded: Record<string, unknown> = {}
  for (const [name, probe] of Object.entries(probes)) {
    recorded[name] = await recorder.run({ agent: name, input: {} }, async () => await probe())
  }
  await recorder.close()
  // Later by the clock, whatever its precision.
  await new Promise((resolve) => setTimeout(resolve, 5))
  const files = (await readdir(store)).filter((name) => name !== 'index')
  const traces = new Map<string, Awaited<ReturnType<typeof readTrace>>>()
  for (const file of files) {
    const trace = await readTrace(join(store, file))
    traces.set(trace.header.agent, trace)
  }
  const held: Record<string, boolean> = {}
  for (const [name, probe] of Object.entries(probes)) {
    const trace = traces.get(name)
    if (trace === undefined) throw new Error(`The probe "${name}" was not recorded.`)
    const { outcome } = await replay(trace, async () => await probe())
    const isRecorded = !name.startsWith('wait: ') || trace.rows.some(({ kind }) => kind === 'timer')
    held[name] = isRecorded && outcome.status === 'returned' && isDeepStrictEqual(outcome.output, recorded[name])
  }
  return held
}
