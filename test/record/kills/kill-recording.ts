import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { digest } from '../../../src/replay/traces/digest.ts'
import { createDirectoryStore } from '../../../src/stores/directory-store.ts'
import { decodeTrace } from '../../../src/trace/read.ts'
import type { HttpInput } from '../../../src/trace/rows.ts'
import type { Step, Trace } from '../../../src/trace/trace.ts'
import { UnkeptValue } from '../../../src/trace/unkept-value.ts'
import { disposeAfter } from '../../support/dispose-after.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { startWorld, type World, type Write } from './world.ts'

/** What became of the recordings of a process that was killed. */
export interface Killed {
  /** Recordings that could be read. */
  readonly recordings: number
  /** Of those, the ones with a note that their tail was torn. */
  readonly torn: number
  /** Runs that had been said to be written to their ends. */
  readonly acknowledged: number
  /** What the world was asked to change, and whether a recording has a step of it. */
  readonly writes: readonly SeenWrite[]
  /** Steps that were known by the journal alone. */
  readonly announced: number
  /** What must not be: acknowledged and not there, damaged, or other than what happened. */
  readonly faults: readonly string[]
}

/** A write as the world knows it, and whether there is a trace of it. */
export interface SeenWrite extends Write {
  readonly hasTrace: boolean
}

/** Starts a process that records eight runs at a time, kills it so many milliseconds later, and holds what it left against what the world saw. */
export async function killRecording(milliseconds: number): Promise<Killed> {
  return await disposeAfter(await createTemporaryDirectory(), async (directory) => {
    await using world = await startWorld()
    const { ended, isReady } = await runUntilKilled(directory.path, world, milliseconds)
    const store = createDirectoryStore(directory.resolve('runs'))
    const faults: string[] = isReady ? [] : ['the process ended before it had recorded anything']
    const traces = new Map<string, Trace>()
    for (const id of await store.list()) {
      try {
        const stored = await store.read(id)
        const trace = decodeTrace(stored?.text ?? '', stored?.file ?? '', digest)
        traces.set(id, trace)
        faults.push(...faultsOf(trace).map((fault) => `${id}: ${fault}`))
      } catch (error) {
        faults.push(`${id}: ${String(error)}`)
      }
    }
    for (const id of ended) if (traces.get(id)?.end?.output !== id) faults.push(`${id}: its end was acknowledged and is not there`)
    faults.push(...(await indexFaults(directory.resolve('runs'), directory.resolve('runs/index'))))
    const all = [...traces.values()]
    return {
      recordings: all.length,
      torn: all.filter(({ rows }) => rows.some((row) => row.kind === 'note' && row.what === 'torn-tail')).length,
      acknowledged: ended.length,
      writes: world.writes.map((write) => ({
        ...write,
        hasTrace: traces.get(write.run)?.steps.some(({ step }) => step === write.step) === true,
      })),
      announced: all.flatMap(({ steps }) => steps).filter(isAnnounced).length,
      faults,
    }
  })
}

/** Where the index that the process kept, brought up to date as a look-up does, is not the one that is made anew of the recordings. */
async function indexFaults(runs: string, index: string): Promise<string[]> {
  const kept = await createDirectoryStore(runs).find({})
  rmSync(index, { recursive: true, force: true })
  const rebuilt = await createDirectoryStore(runs).find({})
  const scans = [kept, rebuilt].flatMap(({ scanned = [] }) => scanned)
  const differing = rebuilt.runs.filter((run, place) => !isDeepStrictEqual(run, kept.runs[place])).map(({ id }) => id)
  if (scans.length === 0 && differing.length === 0 && kept.runs.length === rebuilt.runs.length) return []
  return [
    `the index kept has ${kept.runs.length} runs, the one rebuilt ${rebuilt.runs.length}; they differ in: ${differing.join()} ${scans.join()}`,
  ]
}

/** The runs that the process said it had written to their ends. */
async function runUntilKilled(
  cwd: string,
  world: World,
  milliseconds: number,
): Promise<{ readonly ended: string[]; readonly isReady: boolean }> {
  const program = fileURLToPath(new URL('killed-program.ts', import.meta.url))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, 'runs', world.url], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const ready = Promise.withResolvers<void>()
  child.stdout.on('data', (bytes: Buffer) => {
    output += bytes.toString()
    if (output.includes('ready\n')) ready.resolve()
  })
  const closed = once(child, 'close')
  await Promise.race([ready.promise, closed])
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  world.freeze()
  child.kill('SIGKILL')
  await closed
  // A line may have been cut by the kill.
  const lines = output.slice(0, output.lastIndexOf('\n') + 1).split('\n')
  return { ended: lines.flatMap((line) => /^end (.*)/.exec(line)?.slice(1) ?? []), isReady: lines.includes('ready') }
}

/** Whether the log has no row of a step: it had started, and neither what it was called with was written nor what came of it. */
function isAnnounced({ boundary, input }: Step): boolean {
  return boundary === 'http' ? new URL((input as HttpInput).url).pathname === '/' : input instanceof UnkeptValue
}

/** What the twelve steps of a run are called. */
const NAMES = ['127.0.0.1', 'look', 'pay', '127.0.0.1']

/** What a recording holds that cannot have happened. */
function faultsOf(trace: Trace): string[] {
  if (trace.header.agent !== 'agent') return []
  const faults: string[] = []
  const written = trace.steps.filter((step) => !isAnnounced(step))
  written.forEach(({ step, name, input, output }, index) => {
    if (step !== index + 1) faults.push(`step ${step} stands where step ${index + 1} should`)
    if (name === 'pay' && output !== undefined && !isDeepStrictEqual(output, { paid: step }))
      faults.push(`step ${step} gave another output`)
    if (name === 'look' && !isDeepStrictEqual(input, { step })) faults.push(`step ${step} was given ${JSON.stringify(input)}`)
    // What follows a step that the agent waited for can only be there if it had settled; a payment waits for its own request.
    const next = written[index + (name === 'pay' ? 2 : 1)]
    if (next !== undefined && output === undefined) faults.push(`step ${step} has no output, and step ${next.step} follows`)
  })
  for (const step of trace.steps) {
    if (!step.name.startsWith(NAMES[(step.step - 1) % 4] ?? '')) faults.push(`step ${step.step} is ${step.name}`)
    if (!isAnnounced(step)) continue
    if (step.step <= written.length) faults.push(`step ${step.step} is in the journal, and the rows of later steps are written`)
    if (step.settledAt !== undefined) faults.push(`step ${step.step} settled, and its call has no row`)
  }
  return faults
}
