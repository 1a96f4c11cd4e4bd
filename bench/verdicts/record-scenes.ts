import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRecorder, type Recorder } from 'goldenrun'
import { listTraces, readTrace, type Trace } from 'goldenrun/replay'
import { promote } from '../../src/goldens/promote.ts'
import type { Context } from './agents/context.ts'
import { type PrintedLog, printLog } from './oracle/print-log.ts'
import { type Agent, loadAgent, type Scene, sourceOf, type Subject } from './scenes/subject.ts'
import type { SeenCall } from './world/world-log.ts'
import type { WorldServer } from './world/world-server.ts'

/** A scene with its golden, and what the world saw while it was recorded. */
export interface RecordedScene extends Scene {
  readonly trace: Trace
  readonly calls: readonly SeenCall[]
  readonly printed: PrintedLog
  /** The agent's context in a replay: only the address of the world, which is not there. */
  readonly context: Context
}

/** Records each scene of a subject and promotes it. @param folder The folder for recordings and goldens. */
export async function recordScenes(
  server: WorldServer,
  subject: Subject,
  scenes: readonly Scene[],
  folder: string,
): Promise<RecordedScene[]> {
  const agent = await loadAgent(sourceOf(subject))
  return Promise.all(scenes.map((scene) => recordScene(server, agent, scene, subject.name, path.join(folder, subject.name, scene.name))))
}

async function recordScene(server: WorldServer, agent: Agent, scene: Scene, name: string, folder: string): Promise<RecordedScene> {
  const world = server.open(scene.createScript())
  const { context } = world
  const store = path.join(folder, 'runs')
  const recorder = createRecorder({ store })
  const log = await world.watch(() => recorder.run({ agent: name, input: scene.input, context }, agent))
  await untilWatched(recorder)
  await recorder.close()
  const [recording] = await listTraces({ store })
  if (recording === undefined) throw new Error(`There is no recording of ${scene.name}.`)
  const { file } = await promote(await readTrace(recording.id, { store }), {
    name: scene.name,
    directory: path.join(folder, 'golden-traces'),
  })
  const trace = await readTrace(file)
  check(scene, trace, log.calls)
  return {
    ...scene,
    trace,
    calls: log.calls,
    printed: printLog(log),
    context: { url: context.url, services: context.services, call: refuse, reached: () => undefined },
  }
}

/** Waits until a run's leftovers are no longer watched. Closing a recorder would end the watch; in a process that continues, it ends by itself. */
export async function untilWatched(recorder: Pick<Recorder, 'stats'>): Promise<void> {
  for (let waited = 0; recorder.stats().watching > 0 && waited < 125; waited += 1) await sleep(20)
}

/** Checks that the world saw the recorded calls: a call's place in the world's log is the number of its step. */
function check({ name }: Scene, { steps }: Trace, calls: readonly SeenCall[]): void {
  if (steps.length === calls.length) return
  throw new Error(`The trace of ${name} has ${steps.length} steps, the world around it saw ${calls.length}.`)
}

async function refuse(): Promise<never> {
  throw new Error('The world of this run is closed.')
}
