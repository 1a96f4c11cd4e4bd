import type { Mutant } from './mutants.ts'
import { findDifference } from './oracle/difference.ts'
import { contradiction, expectedVerdict } from './oracle/expected-verdict.ts'
import { printLog } from './oracle/print-log.ts'
import type { RecordedScene } from './record-scenes.ts'
import { inEnvironment } from './world/environments.ts'
import type { WorldServer } from './world/world-server.ts'

/** How many changed agents run in their worlds at the same time. They mostly wait. */
const AT_ONCE = 16

/**
 * Runs each changed agent in a world like each recorded one, without goldenrun, and compares what the world sees with the declaration.
 *
 * @throws Error that names the declarations that the world contradicts: with them, no figure would mean anything.
 */
export async function checkDeclarations(server: WorldServer, scenes: readonly RecordedScene[], mutants: readonly Mutant[]): Promise<void> {
  const decided = mutants.filter(({ mutation }) => mutation.expected.is !== 'undecided')
  const faults: string[] = []
  // All agents of a process have the same environment.
  for (const [environment = 'production', some] of Map.groupBy(decided, ({ mutation }) => mutation.environment)) {
    const waiting = some.flatMap((mutant) => scenes.map((scene) => ({ mutant, scene })))
    await inEnvironment(environment, () => Promise.all(Array.from({ length: AT_ONCE }, () => work(server, waiting, faults))))
  }
  if (faults.length > 0) throw new Error(`${faults.length} mutated runs differ from their declarations:\n${faults.join('\n')}`)
}

interface Waiting {
  readonly mutant: Mutant
  readonly scene: RecordedScene
}

async function work(server: WorldServer, waiting: Waiting[], faults: string[]): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const fault = await findFault(server, next.scene, next.mutant)
    const { kind, name } = next.mutant.mutation
    if (fault !== undefined) faults.push(`  ${kind}, ${name}, in ${next.scene.name}: ${fault}`)
  }
}

/** Tries three times: a delay on a busy machine is not the agent's behaviour. */
async function findFault(server: WorldServer, scene: RecordedScene, { mutation, agent }: Mutant): Promise<string | undefined> {
  let fault: string | undefined
  for (let tries = 0; tries < 3; tries += 1) {
    const world = server.open(scene.createScript())
    const log = await world.watch(() => agent(scene.input, world.context), mutation.watchMs)
    server.close(world)
    fault = contradiction(expectedVerdict(mutation, scene.calls), findDifference(scene.printed, printLog(log)))
    if (fault === undefined) return undefined
  }
  return fault
}
