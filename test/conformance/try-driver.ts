/**
 * Tries a driver in a process of its own: `node --import src/register.ts try-driver.ts <driver> <folder of its package> <port>`. Prints the findings as
 * one line of JSON.
 */
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import { createRecorder } from '../../src/record/recorder.ts'
import { replay } from '../../src/replay/replay.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { startGate } from '../support/gate.ts'
import { type DriverProgram, type DriverWorld, tellError } from './drivers/driver-program.ts'
import type { DriverFinding } from './drivers/driver-trial.ts'

const [driver = '', folder = '', port = '0'] = process.argv.slice(2)
const { program } = (await import(`./drivers/${driver}.ts`)) as { readonly program: DriverProgram<unknown> }
const directory = await mkdtemp(path.join(tmpdir(), 'goldenrun-drivers-'))
const data = path.join(directory, 'data')
await mkdir(data)
const gate = await startGate(Number(port))
const load = createRequire(path.join(folder, 'index.js'))
const world: DriverWorld = { port: gate.port, file: path.join(data, 'shop.db'), load: (name) => load(name) as unknown }

let refused = 0
const findings: DriverFinding[] = []
for (const flow of Object.keys(program.flows))
  for (const time of program.opensInSteps === true ? (['late'] as const) : (['early', 'late'] as const))
    findings.push({ flow, time, wrong: await tryFlow(flow, time) })
process.stdout.write(`${JSON.stringify(findings)}\n`)
await rm(directory, { recursive: true })
process.exit()

/** Early: the client was opened before the run. Late: by the run. */
async function tryFlow(flow: string, time: 'early' | 'late'): Promise<string[]> {
  await prepare()
  const plain = await inTime(useNew(flow))
  await prepare()
  const store = await mkdtemp(path.join(directory, 'runs-'))
  const recorder = createRecorder({ store, limits: { closeMilliseconds: 60_000 } })
  const client = time === 'early' ? await program.open(world) : undefined
  const recorded = await inTime(recorder.run({ agent: 'agent', input: {} }, () => (time === 'early' ? use(flow, client) : useNew(flow))))
  if (time === 'early') await program.close(client)
  await recorder.close()
  if (/^(?:threw|rejected|hangs)/.test(plain)) return [`without a recorder: ${plain}`]
  const wrong = compared(recorded) === compared(plain) ? [] : [`recorded ${recorded}, without a recorder ${plain}`]
  const file = (await readdir(store)).find((name) => name.endsWith('.runlog'))
  if (file === undefined) return [...wrong, 'there is no trace']
  const trace = await readTrace(path.join(store, file))
  if (trace.steps.length === 0) wrong.push('no call was recorded')
  for (const row of trace.rows) if (row.kind === 'note' && row.what === 'unrecorded-contact') wrong.push(`note ${row.what}: ${row.where}`)
  await shut()
  const replayed = await withLimit(replay(trace, () => (time === 'early' && program.closesInStep === true ? useOpen(flow) : useNew(flow))))
  const isReached = await open()
  if (isReached) wrong.push('the replay reached for the database')
  if (replayed === undefined) return [...wrong, 'the replay hangs']
  const { outcome, divergences } = replayed
  const output = outcome.status === 'returned' ? outcome.output : `rejected ${inspect('error' in outcome ? outcome.error : outcome)}`
  if (output !== recorded) wrong.push(`replayed ${output}, recorded ${recorded}`)
  for (const { cause, step, ...rest } of divergences)
    wrong.push(`divergence ${cause} at step ${step}: ${JSON.stringify(rest).slice(0, 300)}`)
  return wrong
}

/** Without what differs from one time to the next by itself. */
function compared(output: string): string {
  return program.varies === undefined ? output : output.replaceAll(program.varies, '')
}

async function prepare(): Promise<void> {
  if (program.prepare === undefined) return
  const client = await program.open(world)
  await program.prepare(client)
  await program.close(client)
}

async function useNew(flow: string): Promise<string> {
  const client = await program.open(world)
  try {
    return await use(flow, client)
  } finally {
    await program.close(client)
  }
}

/** With a client that nobody closes. */
async function useOpen(flow: string): Promise<string> {
  return await use(flow, await program.open(world))
}

/** What a flow comes to, with the classes of what it gives. */
async function use(flow: string, client: unknown): Promise<string> {
  try {
    return inspect(await program.flows[flow]?.(client, world), { depth: 20, maxArrayLength: 1000 })
  } catch (error) {
    return `threw ${inspect(tellError(error))}`
  }
}

async function shut(): Promise<void> {
  refused = gate.refused
  gate.shut()
  await rename(data, `${data}-away`)
  await mkdir(data)
}

/** Whether it was reached for while it was shut. */
async function open(): Promise<boolean> {
  gate.open()
  const isMade = (await readdir(data)).length > 0
  await rm(data, { recursive: true })
  await rename(`${data}-away`, data)
  return isMade || gate.refused > refused
}

async function inTime(flow: Promise<string>): Promise<string> {
  try {
    return (await withLimit(flow)) ?? 'hangs'
  } catch (error) {
    return `rejected ${inspect(tellError(error))}`
  }
}

/** Undefined where something takes longer than anything here may. */
async function withLimit<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  const { promise: over, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, 10_000, undefined)
  try {
    return await Promise.race([promise, over])
  } finally {
    clearTimeout(timer)
  }
}
