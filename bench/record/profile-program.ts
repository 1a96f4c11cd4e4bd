/**
 * Records calls of a kind in a process and profiles its two threads, the agents' and the writer's. Prints what takes their time, in microseconds per
 * call. It is started with the kind, the number of calls, and the provider's port.
 */
import { type Profiler, Session } from 'node:inspector/promises'
import { useSource } from '../use-source.ts'
import type { Workload } from './workload.ts'

useSource()
const { contestants } = await import('./contestants.ts')
const { work } = await import('./workload.ts')

/** Microseconds by what they were spent on. */
export type Shares = Readonly<Record<string, number>>

/** The result of a profile: self time per call, for each thread. */
export interface Profiled {
  readonly agents: Shares
  readonly writer: Shares
}

const [, , kind = 'json', calls = '100', port = '0'] = process.argv
const workload: Workload = { kind: kind as Workload['kind'], calls: 5, runs: Math.ceil(Number(calls) / 5), arrival: { concurrency: 64 } }
const { surround, ask, settle, close } = await contestants.goldenrun()
const round = async (): Promise<void> => {
  await work(workload, Number(port), surround, ask)
  await settle?.()
}

// The writing thread does not keep the process alive.
const alive = setInterval(() => undefined, 1_000)
const session = new Session()
session.connect()
const inWriter = await attach(session)
await round()
for (const post of [inWriter, (method: string, params?: object) => session.post(method, params)]) {
  await post('Profiler.enable')
  await post('Profiler.setSamplingInterval', { interval: 200 })
  await post('Profiler.start')
}
await round()
const writer = (await inWriter('Profiler.stop')) as Profiler.StopReturnType
const agents = await session.post('Profiler.stop')
session.disconnect()
await close()
clearInterval(alive)
console.log(JSON.stringify({ agents: sharesOf(agents.profile), writer: sharesOf(writer.profile) } satisfies Profiled))

type Post = (method: string, params?: object) => Promise<unknown>

/** Attaches to the writing thread. */
async function attach(own: Session): Promise<Post> {
  const answers = new Map<number, (result: unknown) => void>()
  const attached = Promise.withResolvers<string>()
  own.on('NodeWorker.attachedToWorker', ({ params }) => attached.resolve(params.sessionId))
  own.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
    const { id, result } = JSON.parse(params.message) as { id?: number; result?: unknown }
    if (id !== undefined) answers.get(id)?.(result)
  })
  await own.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
  const sessionId = await attached.promise
  let asked = 0
  return async (method, params) => {
    asked += 1
    const { promise, resolve } = Promise.withResolvers<unknown>()
    answers.set(asked, resolve)
    await own.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id: asked, method, params }) })
    return await promise
  }
}

function sharesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Shares {
  const groups = new Map(nodes.map(({ id, callFrame }) => [id, groupOf(callFrame)]))
  const shares: Record<string, number> = {}
  for (const [index, sample] of samples.entries()) {
    const group = groups.get(sample) ?? 'unknown'
    shares[group] = (shares[group] ?? 0) + (timeDeltas[index] ?? 0) / Number(calls)
  }
  delete shares['(idle)']
  return shares
}

/** Returns the room and folder in `src`, or another owner of the function. With FUNCTIONS set, returns the function itself. */
function groupOf({ url, functionName, lineNumber }: Profiler.ProfileNode['callFrame']): string {
  if (functionName.startsWith('(')) return functionName
  const own = /\/src\/(.*)$/.exec(url)?.[1]
  if (process.env['FUNCTIONS'] !== undefined) return `${functionName} ${own ?? url.slice(-40)}:${lineNumber + 1}`
  if (own !== undefined) return own.split('/').slice(0, -1).slice(0, 2).join('/') || own
  if (url === '') return 'built into V8 and Node'
  return url.startsWith('node:') ? url.split('/').slice(0, 2).join('/') : 'packages of the agent'
}
