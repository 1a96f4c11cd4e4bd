import { createRecorder } from 'goldenrun'
import { createTauAgent, type TauAgentOptions, type TauInput, type TauOutput } from './tau-agent.ts'
import { listTauRuns, loadTauRun, type TauRun } from './tau-run.ts'
import { startTauWorld } from './tau-world.ts'

/** How τ-bench runs are recorded. */
export interface RecordOptions {
  /** The directory of the store. */
  readonly store: string
  /** Which runs. Default: all of them. */
  readonly runs?: readonly TauRun[]
  /** The agent. Default: with nothing changed. */
  readonly agent?: TauAgentOptions
}

/** A run that was recorded, and what the agent made of it. */
export interface RecordedTauRun {
  readonly run: TauRun
  readonly output: TauOutput
}

/** What the agent is given as input for a recorded run: the recorded system prompt. */
export function toTauInput(run: TauRun): TauInput {
  const [system] = run.messages
  return { domain: run.domain, policy: system?.content ?? '' }
}

/**
 * Runs the agent through τ-bench runs, one after the other, each in a world and with a recorder of its own. A recording carries the
 * run's name as the tag `run`, and the agent's name is `tau-airline` or `tau-retail`.
 */
export async function recordTauRuns({ store, runs = listTauRuns().map(loadTauRun), agent }: RecordOptions): Promise<RecordedTauRun[]> {
  const tauAgent = createTauAgent(agent)
  const recorded: RecordedTauRun[] = []
  for (const run of runs) {
    await using world = await startTauWorld(run)
    const recorder = createRecorder({ store })
    const invocation = { agent: `tau-${run.domain}`, input: toTauInput(run), context: world.context, tags: { run: run.name } }
    const output = await recorder.run(invocation, tauAgent)
    await recorder.close()
    recorded.push({ run, output })
  }
  return recorded
}
