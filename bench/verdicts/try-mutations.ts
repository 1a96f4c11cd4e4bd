import { replay } from 'goldenrun/replay'
import { removeMutant, writeMutant } from './mutations/apply.ts'
import type { Mutation } from './mutations/mutation.ts'
import { findDifference } from './oracle/difference.ts'
import { contradiction, expectedVerdict, type Verdict } from './oracle/expected-verdict.ts'
import { printLog } from './oracle/print-log.ts'
import type { RecordedScene } from './record-scenes.ts'
import { type Agent, loadAgent, sourceOf, type Subject } from './scenes/subject.ts'
import type { WorldServer } from './world/world-server.ts'

/** One mutated run: what was declared, and what goldenrun says. */
export interface TriedRun {
  readonly subject: string
  readonly mutation: Mutation
  readonly scene: string
  /** Undefined where it is benign in this run, or nobody can decide. */
  readonly expected: Verdict | undefined
  /** The first divergence of the replay. */
  readonly found: Verdict | undefined
  /** Where what was declared and what the world saw do not agree: a fault of the bench. */
  readonly fault: string | undefined
  /** Whether the tests of others fail, by their names; only of the runs that they could record. */
  readonly others: Readonly<Record<string, boolean>>
}

/** What the tests of others say of a changed agent in a scene. */
export type AskOthers = (scene: RecordedScene, agent: Agent) => Promise<Readonly<Record<string, boolean>>>

/** How many changed agents run in their worlds at the same time: they mostly wait. */
const AT_ONCE = 12

/** Runs each changed agent in the world of each scene, and replays the scene's golden with it. */
export async function tryMutations(
  server: WorldServer,
  subject: Subject,
  scenes: readonly RecordedScene[],
  mutations: readonly Mutation[],
  askOthers: AskOthers,
): Promise<TriedRun[]> {
  const tried: TriedRun[] = []
  for (const mutation of mutations) {
    const folder = writeMutant(sourceOf(subject), mutation)
    try {
      const agent = await loadAgent(folder)
      const faults = await faultsOf(server, scenes, mutation, agent)
      for (const scene of scenes) {
        // One at a time, as tests run.
        const { divergences } = await replay(scene.trace, agent, { context: scene.context })
        tried.push({
          subject: subject.name,
          mutation,
          scene: scene.name,
          expected: expectedVerdict(mutation, scene.calls),
          found: divergences[0],
          fault: faults.get(scene.name),
          others: await askOthers(scene, agent),
        })
      }
    } finally {
      removeMutant(folder)
    }
  }
  return tried
}

/** What the world says against what was declared, by scene. */
async function faultsOf(
  server: WorldServer,
  scenes: readonly RecordedScene[],
  mutation: Mutation,
  agent: Agent,
): Promise<ReadonlyMap<string, string | undefined>> {
  const faults = new Map<string, string | undefined>()
  const waiting = [...scenes]
  const work = async (): Promise<void> => {
    for (let scene = waiting.shift(); scene !== undefined; scene = waiting.shift())
      faults.set(scene.name, await faultOf(server, scene, mutation, agent))
  }
  if (mutation.expected.is !== 'undecided') await Promise.all(Array.from({ length: AT_ONCE }, work))
  return faults
}

/** Two tries: what a busy machine made late is not what the agent does. */
async function faultOf(server: WorldServer, scene: RecordedScene, mutation: Mutation, agent: Agent): Promise<string | undefined> {
  const once = async (): Promise<string | undefined> => {
    const world = server.open(scene.createScript())
    const log = await world.watch(() => agent(scene.input, world.context), mutation.watchMs)
    return contradiction(expectedVerdict(mutation, scene.calls), findDifference(scene.printed, printLog(log)))
  }
  return (await once()) && (await once())
}
