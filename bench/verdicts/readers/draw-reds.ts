import { replay } from 'goldenrun/replay'
import { createRandom, type Random } from '../../../test/support/random.ts'
import { toReplayWithoutDivergence } from '../../../src/matchers/to-replay-without-divergence.ts'
import { bearRejections } from '../bear-rejections.ts'
import { removeMutant, writeMutant } from '../mutations/apply.ts'
import type { Mutation } from '../mutations/mutation.ts'
import { expectedVerdict } from '../oracle/expected-verdict.ts'
import { type RecordedScene, recordScenes } from '../record-scenes.ts'
import { loadAgent, sourceOf, type Subject } from '../scenes/subject.ts'
import { SUBJECTS } from '../scenes/subjects.ts'
import { inEnvironment } from '../world/environments.ts'
import { startWorldServer } from '../world/world-server.ts'
import { type Keyed, KINDS } from './kinds.ts'
import { ownLines } from './own-lines.ts'

/** A report, and what is right about it. */
export type Red = Omit<Keyed, 'report'> & { readonly report: string }

/** Which reports to draw. */
export interface DrawOptions {
  readonly seed: number
  /** How many reports of each kind. */
  readonly perKind: number
  /** For recordings and goldens. */
  readonly folder: string
  readonly note: (line: string) => void
}

/** Worlds of each agent that reports are drawn from. */
const SCENES = 4

interface Pair {
  readonly subject: Subject
  readonly mutation: Mutation
  readonly scene: RecordedScene
}

/** Changes agents, replays their goldens with them, and returns what the reports say, in an order drawn by the seed. */
export async function drawReds({ seed, perKind, folder, note }: DrawOptions): Promise<Red[]> {
  const refuseRejections = bearRejections()
  try {
    return await inEnvironment('production', async () => {
      const random = createRandom(seed)
      const pairs = random.shuffle(await harmfulPairs(folder, random, note))
      const kinds = Map.groupBy(pairs, ({ mutation, scene }) => KINDS[expectedVerdict(mutation, scene.calls)?.cause ?? ''] ?? '')
      const reds: Red[] = []
      for (const [kind, some] of kinds) {
        for (const pair of spread(some).slice(0, perKind)) reds.push(await report(kind, pair))
      }
      return random.shuffle(reds)
    })
  } finally {
    refuseRejections()
  }
}

/** Every harmful change of every agent, in the worlds in which it does harm. */
async function harmfulPairs(folder: string, random: Random, note: (line: string) => void): Promise<Pair[]> {
  await using server = await startWorldServer()
  const pairs: Pair[] = []
  for (const subject of SUBJECTS) {
    const scenes = await recordScenes(server, subject, random.shuffle(subject.scenes).slice(0, SCENES), folder)
    const harmful = subject.mutations.filter(({ takes }) => takes === undefined)
    const found = harmful.flatMap((mutation) =>
      scenes.filter(({ calls }) => expectedVerdict(mutation, calls) !== undefined).map((scene) => ({ subject, mutation, scene })),
    )
    note(`${subject.name}: ${found.length} harmful runs of ${harmful.length} changes in ${scenes.length} worlds.`)
    pairs.push(...found)
  }
  return pairs
}

/** Puts the changes in turns, so that no change comes twice before each came once. */
function spread(pairs: readonly Pair[]): Pair[] {
  const turns = Map.groupBy(pairs, ({ mutation }) => mutation)
  return [...turns.values()]
    .flatMap((some) => some.map((pair, turn) => ({ pair, turn })))
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ pair }) => pair)
}

async function report(kind: string, { subject, mutation, scene }: Pair): Promise<Red> {
  const folder = writeMutant(sourceOf(subject), mutation)
  try {
    const agent = await loadAgent(folder)
    const replayed = await inEnvironment(mutation.environment ?? 'production', () => replay(scene.trace, agent, { context: scene.context }))
    const { pass, message } = toReplayWithoutDivergence(
      { isNot: false, matches: () => false, describe: String, color: false, width: 100 } as never,
      replayed,
    )
    const step = expectedVerdict(mutation, scene.calls)?.step ?? 0
    return {
      subject: subject.name,
      mutation: `${mutation.kind}, ${mutation.name}`,
      scene: scene.name,
      kind,
      step,
      lines: kind === 'result' ? [] : ownLines(folder, mutation.edits, scene.calls, step, kind),
      report: pass ? 'The replay is green.\n' : message(),
    }
  } finally {
    removeMutant(folder)
  }
}
