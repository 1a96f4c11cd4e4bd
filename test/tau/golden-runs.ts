import { createRecorder } from '../../src/record/recorder.ts'
import { promote } from '../../src/goldens/promote.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { replay } from '../../src/replay/replay.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import { currentRun } from '../../src/run/current-run.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { toTauInput } from '../../examples/tau/record-all.ts'
import { createTauAgent, type TauAgentOptions, type TauInput, type TauOutput } from '../../examples/tau/tau-agent.ts'
import { listTauRuns, loadTauRun, TAU_FOLDER, type TauRun } from '../../examples/tau/tau-run.ts'
import { startTauWorld, type TauContext } from '../../examples/tau/tau-world.ts'

/** The recorded runs; none where the data, which lies beside the repository and not in it, is absent. */
export const tauRuns: readonly TauRun[] = listTauRuns().map(loadTauRun)

/** The title of tests over the recorded runs. */
export const OVER_THE_RUNS: string =
  tauRuns.length === 0 ? `skipped: there are no recorded runs in ${TAU_FOLDER}` : `over the recorded runs`

/** A run that was recorded and promoted; its world is closed. */
export interface GoldenRun {
  readonly name: string
  readonly streaming: boolean
  /** As it was recorded. */
  readonly recording: Trace
  /** As it was read from the folder of the goldens. */
  readonly trace: Trace
  /** How often the world's tools and its customer were asked while the run was recorded. */
  readonly asked: Asked
  /** Where the model was. */
  readonly baseUrl: string
}

/** How often a world was asked for something: what a replay must never do. */
export interface Asked {
  tools: number
  customer: number
}

/** A replay, and what its agent asked of the world. */
export interface Replayed {
  readonly run: ReplayedRun<TauOutput>
  readonly asked: Asked
}

/**
 * Records a run of the agent over each of the runs, each in a world of its own, promotes it into `golden-traces` of the directory, and reads
 * the golden back. The worlds are closed by then.
 *
 * @param isStreaming Whether the answers of the run at an index are streamed.
 */
export async function recordGoldenRuns(
  directory: string,
  runs: readonly TauRun[],
  isStreaming: (index: number) => boolean,
): Promise<GoldenRun[]> {
  const goldens: GoldenRun[] = []
  for (const [index, run] of runs.entries()) goldens.push(await recordGoldenRun(directory, run, isStreaming(index)))
  return goldens
}

/** Replays a golden with the agent it was recorded with, but for what `changes` says. Nothing of its world runs any more. */
export async function replayGolden({ trace, streaming, baseUrl }: GoldenRun, changes: TauAgentOptions = {}): Promise<Replayed> {
  const asked: Asked = { tools: 0, customer: 0 }
  const context = countAsked({ baseUrl, callTool: refuse, nextUserTurn: refuse }, asked)
  const run = await replay(trace, createTauAgent({ streaming, ...changes }), { context })
  return { run, asked }
}

async function recordGoldenRun(directory: string, run: TauRun, streaming: boolean): Promise<GoldenRun> {
  const store = `${directory}/runs`
  const asked: Asked = { tools: 0, customer: 0 }
  const agent = createTauAgent({ streaming })
  await using world = await startTauWorld(run)
  const recorder = createRecorder({ store })
  let id = ''
  await recorder.run(
    { agent: `tau-${run.domain}`, input: toTauInput(run), context: countAsked(world.context, asked), tags: { run: run.name } },
    (input: TauInput, context: TauContext) => {
      id = currentRun()?.id ?? ''
      return agent(input, context)
    },
  )
  await recorder.close()
  const recording = await readTrace(id, { store })
  const { file } = await promote(recording, { name: run.name, directory: `${directory}/golden-traces` })
  return { name: run.name, streaming, recording, trace: await readTrace(file), asked, baseUrl: world.context.baseUrl }
}

function countAsked(context: TauContext, asked: Asked): TauContext {
  return {
    baseUrl: context.baseUrl,
    callTool(name, args) {
      asked.tools += 1
      return context.callTool(name, args)
    },
    nextUserTurn(reply) {
      asked.customer += 1
      return context.nextUserTurn(reply)
    },
  }
}

async function refuse(): Promise<never> {
  throw new Error('The world of this run is closed.')
}
