import path from 'node:path'
import { replay } from 'goldenrun/replay'
import type { Mutant } from './mutants.ts'
import type { Mutation } from './mutations/mutation.ts'
import { expectedVerdict, type Verdict } from './oracle/expected-verdict.ts'
import type { RecordedScene } from './record-scenes.ts'
import type { Agent } from './scenes/subject.ts'
import { inEnvironment } from './world/environments.ts'

/** One mutated run: the declaration, and goldenrun's verdict. */
export interface TriedRun {
  readonly subject: string
  readonly mutation: Mutation
  readonly scene: string
  /** Undefined if the mutation is benign in this run, or nobody can decide. */
  readonly expected: Verdict | undefined
  /** The first divergence of the replay. */
  readonly found: Verdict | undefined
  /** The file of the line that the first divergence names: one of the agent's own, or another one. Undefined if it names none. */
  readonly namedFile: 'own' | 'other' | undefined
  /** Whether a drift was reported that the declared contract requires. */
  readonly drifted: boolean
  /** Whether the peers' tests fail, by name; only for the runs that they could record. */
  readonly others: Readonly<Record<string, boolean>>
}

/** Runs the peers' tests with a changed agent in a scene. */
export type AskOthers = (scene: RecordedScene, agent: Agent) => Promise<Readonly<Record<string, boolean>>>

/** Replays each scene's golden with each changed agent. */
export async function tryMutants(
  subject: string,
  scenes: readonly RecordedScene[],
  mutants: readonly Mutant[],
  askOthers: AskOthers,
): Promise<TriedRun[]> {
  const tried: TriedRun[] = []
  for (const { mutation, agent } of mutants) {
    for (const scene of scenes) {
      const replayed = await inEnvironment(mutation.environment ?? 'production', () =>
        replay(scene.trace, agent, { context: scene.context }),
      )
      const expected = expectedVerdict(mutation, scene.calls)
      tried.push({
        subject,
        mutation,
        scene: scene.name,
        expected,
        found: replayed.divergences[0],
        namedFile: namedFile(replayed.divergences[0]?.site?.file),
        drifted: replayed.drift.length > 0,
        others: await askOthers(scene, agent),
      })
    }
  }
  return tried
}

/** The folder of the agents, their mutants, and what they share. */
const AGENTS = path.join(import.meta.dirname, 'agents')

/** @param file As reports name it: relative to the working directory, or absolute. */
function namedFile(file: string | undefined): TriedRun['namedFile'] {
  if (file === undefined) return undefined
  return path.resolve(file).startsWith(`${AGENTS}${path.sep}`) ? 'own' : 'other'
}
