import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createRecorder } from 'goldenrun'
import { listTraces, readTrace, type Trace } from 'goldenrun/replay'
import { promote } from '../../src/replay/promote.ts'
import { listTauRuns, loadTauRun, type TauRun } from '../../examples/tau/tau-run.ts'
import type { DeskContext } from './desk/context.ts'
import type { DeskInput, DeskOutput } from './desk/desk.ts'
import type { Scene, Subject } from './subject.ts'
import { runLogged } from './world/run-logged.ts'
import { type DeskServer, type DeskWorld, startDeskServer } from './world/desk-server.ts'

/** The desk, as its module exports it. */
export type Desk = (input: DeskInput, context: DeskContext) => Promise<DeskOutput>

const SOURCE = path.join(import.meta.dirname, 'desk')

/** One recorded run of the desk. */
export interface DeskScene extends Scene {
  readonly input: DeskInput
  /** A world like the recorded one. */
  openWorld(): DeskWorld
}

/** The desk, over the real runs: their customers, models and tools. */
export const deskSubject: Subject<DeskScene> = {
  source: SOURCE,
  async open(folder, most = Infinity) {
    const server = await startDeskServer()
    const original = await loadDesk(SOURCE)
    const scenes: DeskScene[] = []
    for (const run of listTauRuns().slice(0, most).map(loadTauRun)) scenes.push(await recordScene(server, run, original, folder))
    return { scenes, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
  },
}

async function recordScene(server: DeskServer, run: TauRun, original: Desk, folder: string): Promise<DeskScene> {
  const input = toInput(run)
  const { context, log } = server.open(run)
  const store = path.join(folder, 'runs')
  const recorder = createRecorder({ store })
  await runLogged(log, () => recorder.run({ agent: 'desk', input, context, tags: { run: run.name } }, original))
  await recorder.close()
  const trace = await promoteOnly(store, run.name, folder)
  return {
    name: run.name,
    trace,
    log,
    input,
    agentOf: loadDesk,
    openWorld: () => server.open(run),
    // Nothing of the world is there in a replay, but for the address that the model had.
    context: { ...context, nextUserTurn: refuse, callTool: refuse, lookUp: refuse, reached: () => undefined },
    async tryOut(agent) {
      const world = server.open(run)
      await runLogged(world.log, () => (agent as Desk)(input, world.context)).catch(() => undefined)
      return world.log
    },
  }
}

/** Promotes the one recording of a store that has the tag, and reads the golden. */
async function promoteOnly(store: string, name: string, folder: string): Promise<Trace> {
  const recording = (await listTraces({ store })).find(({ tags }) => tags['run'] === name)
  if (recording === undefined) throw new Error(`There is no recording of ${name}.`)
  const { file } = await promote(await readTrace(recording.id, { store }), { name, directory: path.join(folder, 'golden-traces') })
  return readTrace(file)
}

async function loadDesk(folder: string): Promise<Desk> {
  const { desk }: { desk: Desk } = await import(pathToFileURL(path.join(folder, 'desk.ts')).href)
  return desk
}

function toInput(run: TauRun): DeskInput {
  return { domain: run.domain, policy: run.messages[0]?.content ?? '' }
}

async function refuse(): Promise<never> {
  throw new Error('The world of this run is closed.')
}
