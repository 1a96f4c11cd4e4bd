import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { digest } from '../../../src/replay/digest.ts'
import { createDirectoryStore } from '../../../src/stores/directory-store.ts'
import { decodeTrace } from '../../../src/trace/read.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { disposeAfter } from '../../support/dispose-after.ts'

/** What became of the recordings of a process that was killed. */
export interface Killed {
  /** Recordings that could be read. */
  readonly recordings: number
  /** Of those, the ones with a note that their tail was torn. */
  readonly torn: number
  /** Steps that were in flight. */
  readonly inFlight: number
  /** Calls and ends that had been said to be written. */
  readonly acknowledged: number
  /** What must not be: acknowledged and not there, damaged, or other than what happened. */
  readonly faults: readonly string[]
}

/** Starts a process that records eight runs at a time, kills it so many milliseconds later, and looks at what it left. */
export async function killRecording(milliseconds: number): Promise<Killed> {
  return await disposeAfter(await createTemporaryDirectory(), async (directory) => {
    const { said, isReady } = await runUntilKilled(directory.path, milliseconds)
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
    for (const [what, id = '', step] of said) {
      const trace = traces.get(id)
      const isThere =
        what === 'end' ? trace?.end?.output === id : trace?.steps.some((one) => one.step === Number(step) && one.name === 'pay')
      if (isThere !== true) faults.push(`${id}: ${what} ${step ?? ''} was acknowledged and is not there`)
    }
    faults.push(...(await indexFaults(directory.resolve('runs'), directory.resolve('runs/index'))))
    const all = [...traces.values()]
    return {
      recordings: all.length,
      torn: all.filter(({ rows }) => rows.some((row) => row.kind === 'note' && row.what === 'torn-tail')).length,
      inFlight: all.flatMap(({ steps }) => steps).filter((step) => !('output' in step) && step.error === undefined).length,
      acknowledged: said.length,
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

/** What the process said of what it had written, line by line, in words. */
async function runUntilKilled(cwd: string, milliseconds: number): Promise<{ readonly said: string[][]; readonly isReady: boolean }> {
  const program = fileURLToPath(new URL('killed-program.ts', import.meta.url))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, 'runs'], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const ready = Promise.withResolvers<void>()
  child.stdout.on('data', (bytes: Buffer) => {
    output += bytes.toString()
    // From here on there is something to lose.
    if (output.includes('\ncall ')) ready.resolve()
  })
  const closed = once(child, 'close')
  await Promise.race([ready.promise, closed])
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  child.kill('SIGKILL')
  await closed
  // A line may have been cut by the kill.
  const lines = output.slice(0, output.lastIndexOf('\n') + 1).split('\n')
  const said = lines.filter((line) => /^(call|end) /.test(line)).map((line) => line.split(' '))
  return { said, isReady: said.length > 0 }
}

/** What a recording holds that cannot have happened. */
function faultsOf(trace: Trace): string[] {
  if (trace.header.agent !== 'agent' || trace.steps.length === 0) return []
  const faults: string[] = []
  trace.steps.forEach(({ step, name, input, output }, index) => {
    if (step !== index + 1) faults.push(`step ${step} stands where step ${index + 1} should`)
    const wanted = ['127.0.0.1', 'look', 'pay'][index % 3]
    if (wanted === undefined || !name.startsWith(wanted)) faults.push(`step ${step} is ${name}`)
    if (name === 'pay' && output !== undefined && JSON.stringify(output) !== JSON.stringify({ paid: step }))
      faults.push(`step ${step} gave ${JSON.stringify(output)}`)
    if (name === 'look' && JSON.stringify(input) !== JSON.stringify({ step }))
      faults.push(`step ${step} was given ${JSON.stringify(input)}`)
    // What follows a step that the agent waited for can only be there if it had settled.
    if (index < trace.steps.length - 1 && output === undefined) faults.push(`step ${step} has no output, and a step follows`)
  })
  return faults
}
