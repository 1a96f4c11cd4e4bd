/**
 * Tries one door in a process of its own: `node try-door.ts <door> <early|late> [core]`. Early, the client is loaded, built and used before
 * goldenrun is; late, after a recorder was made, and anew in each run. Prints the findings as one line of JSON.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Behaviour, behaviours, type World } from './behaviours.ts'
import type { Client } from './client.ts'
import { describeError } from './describe-error.ts'
import { doors } from './doors.ts'
import { startOrigin } from './origin.ts'
import type { Finding } from './trial.ts'

const [name = '', time = '', extent = 'all'] = process.argv.slice(2)
const door = doors[name]
if (door === undefined) throw new Error(`No door is called ${name}. There are: ${Object.keys(doors).join(', ')}.`)
// The certificate is nobody's; this is for the clients that take no option for it.
if (door.secure === true) process.removeAllListeners('warning')

let connections = 0
const { connect } = Socket.prototype
Socket.prototype.connect = function countConnection(this: Socket, ...args: unknown[]): Socket {
  connections += 1
  return Reflect.apply(connect, this, args)
}

const origin = await startOrigin()
const { openGate } = origin
const at: World =
  door.secure === true
    ? { url: origin.secureUrl, closedUrl: `https://127.0.0.1:${origin.closedPort}`, openGate }
    : { url: origin.url, closedUrl: `http://127.0.0.1:${origin.closedPort}`, openGate }
const build = (): Promise<Client> => door.client(at.url)
const store = await mkdtemp(join(tmpdir(), 'goldenrun-conformance-'))

// Early: all of this comes before the first line of goldenrun is loaded.
const early = time === 'early' ? await build() : undefined
const plain = new Map<Behaviour, unknown>()
if (early !== undefined) for (const behaviour of tried(early)) plain.set(behaviour, await inTime(behaviour.run(early, at)))

const { createRecorder } = await import('../../src/record/recorder.ts')
const recorder = createRecorder({ store })
const late = early === undefined ? await build() : undefined
if (late !== undefined) for (const behaviour of tried(late)) plain.set(behaviour, await inTime(behaviour.run(late, at)))
const client = early ?? late
if (client === undefined) throw new Error('A client is early or late.')

const built: Client[] = [client]
const run = (behaviour: Behaviour) => async (): Promise<unknown> => {
  if (early !== undefined) return behaviour.run(early, at)
  const made = await build()
  built.push(made)
  return behaviour.run(made, at)
}

const findings = new Map<Behaviour, string[]>()
const recorded = new Map<Behaviour, unknown>()
for (const behaviour of tried(client)) {
  const before = origin.left
  const output = await recorder
    .run({ agent: behaviour.name, input: {} }, run(behaviour))
    .catch((error: unknown) => ({ rejected: describeError(error) }))
  recorded.set(behaviour, output)
  const wrong: string[] = []
  findings.set(behaviour, wrong)
  if (behaviour.varies !== true && !isDeepStrictEqual(output, plain.get(behaviour))) {
    wrong.push(`recorded ${show(output)}, without a recorder ${show(plain.get(behaviour))}`)
  }
  if (behaviour.leaves !== undefined) {
    for (let waited = 0; origin.left < before + behaviour.leaves && waited < 200; waited += 1) await sleep(10)
    if (origin.left < before + behaviour.leaves) wrong.push('the origin did not notice that the client left')
  }
}
await recorder.close()
for (const one of built) await one.close?.()
await origin.close()

const { replay } = await import('../../src/replay/replay.ts')
const { readTrace } = await import('../../src/replay/traces/read-trace.ts')
const files = (await readdir(store)).filter((file) => file.endsWith('.runlog'))
const traces = await Promise.all(files.map((file) => readTrace(join(store, file))))
const rebuilt = early === undefined ? undefined : await build()
for (const [behaviour, wrong] of findings) {
  const trace = traces.find(({ header }) => header.agent === behaviour.name)
  if (trace === undefined) {
    wrong.push('there is no trace')
    continue
  }
  if (!trace.steps.some(({ boundary }) => boundary === 'http')) wrong.push('no call was recorded')
  for (const row of trace.rows) if (row.kind === 'note' && row.what === 'unrecorded-contact') wrong.push(`note ${row.what}: ${row.where}`)
  connections = 0
  const replayed = await withLimit(replay(trace, async () => behaviour.run(rebuilt ?? (await build()), at)))
  if (replayed === undefined) {
    wrong.push('the replay hangs')
    continue
  }
  const { outcome } = replayed
  const output =
    outcome.status === 'returned'
      ? outcome.output
      : outcome.status === 'threw'
        ? { rejected: describeError(outcome.error) }
        : { stopped: true }
  if (!isDeepStrictEqual(output, recorded.get(behaviour))) wrong.push(`replayed ${show(output)}, recorded ${show(recorded.get(behaviour))}`)
  for (const { cause, step, ...rest } of replayed.divergences)
    wrong.push(`divergence ${cause} at step ${step}: ${show(rest).slice(0, 300)}`)
  if (replayed.hash !== trace.hash) wrong.push('the hash differs')
  if (connections > 0) wrong.push(`${connections} connections were opened`)
}
await rm(store, { recursive: true })

const result: Finding[] = [...findings].map(([behaviour, wrong]) => ({ behaviour: behaviour.name, wrong }))
process.stdout.write(`${JSON.stringify(result)}\n`)
process.exit()

function tried({ lacks }: Client): Behaviour[] {
  return behaviours.filter(({ needs = [], core }) => !needs.some((need) => lacks.includes(need)) && (extent === 'all' || core === true))
}

/** What a program came to: its output, or what it was rejected with. */
async function inTime(program: Promise<unknown>): Promise<unknown> {
  try {
    const settled = await withLimit(program.then((output) => ({ output })))
    return settled === undefined ? { hangs: true } : settled.output
  } catch (error) {
    return { rejected: describeError(error) }
  }
}

/** Undefined where something takes longer than anything here may. */
async function withLimit<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  const { promise: over, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, 5000, undefined)
  try {
    return await Promise.race([promise, over])
  } finally {
    clearTimeout(timer)
  }
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing'
}
