import { replay } from 'goldenrun/replay'
import { type Difference, firstDifference } from './judge/first-difference.ts'
import { removeMutant, writeMutant } from './mutations/apply.ts'
import type { Mutation } from './mutations/mutation.ts'
import type { AnyAgent, Scene, Subject } from './subject.ts'

/** One mutated run: what the world says of it, and what goldenrun says. */
export interface JudgedRun {
  readonly mutation: Mutation
  readonly scene: string
  /** Undefined where nobody outside of the agent could tell: the mutation is benign in this run. */
  readonly expected: Difference | undefined
  /** The first divergence of the replay. */
  readonly found: Difference | undefined
  /** Whether the tests of others fail, by their names; only of the runs that they could record. */
  readonly others: Readonly<Record<string, boolean>>
}

/** What the tests of others say of a mutated agent in a scene. */
export type AskOthers = (scene: Scene, agent: AnyAgent) => Promise<Readonly<Record<string, boolean>>>

/** Tries each mutated agent out in the world of each scene, and replays the scene's golden with it. */
export async function judgeMutants(
  subject: Subject,
  scenes: readonly Scene[],
  mutations: readonly Mutation[],
  askOthers: AskOthers,
  note: (line: string) => void,
): Promise<JudgedRun[]> {
  const judged: JudgedRun[] = []
  for (const [index, mutation] of mutations.entries()) {
    if (index > 0 && index % 10 === 0) note(`  ${index} of ${mutations.length}`)
    const folder = writeMutant(subject.source, mutation)
    try {
      for (const scene of scenes) judged.push(await judge(mutation, scene, await scene.agentOf(folder), askOthers))
    } finally {
      removeMutant(folder)
    }
  }
  return judged
}

async function judge(mutation: Mutation, scene: Scene, agent: AnyAgent, askOthers: AskOthers): Promise<JudgedRun> {
  const expected = firstDifference(scene.log, await scene.tryOut(agent))
  const { divergences } = await replay(scene.trace, agent, { context: scene.context })
  const [found] = divergences
  return { mutation, scene: scene.name, expected, found, others: await askOthers(scene, agent) }
}
