import { isMainThread } from 'node:worker_threads'
import type { ReplayOptions } from '../../replay/contract/replay-options.ts'
import type { ReplayedRun } from '../../replay/contract/replayed-run.ts'
import { resolveTrace } from '../../replay/replay.ts'
import { runOutside } from '../../run/scope.ts'
import { say } from '../../run/tell.ts'
import type { Trace } from '../../trace/trace.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import { type InspectedAgent, startDebugging, startFinding, startVisiting } from './inspected-replay.ts'
import { defaultLimits } from './inspected-run.ts'

/**
 * Replays in this process, and stops at a step for a debugger that attaches. Two replays before it find the agent's line.
 *
 * @throws GoldenrunError `GOLDENRUN_INSPECT` in a worker thread, and if the agent is at no line of its own at the step.
 */
export async function replayAndBreak(
  trace: string | Trace,
  agent: InspectedAgent['agent'],
  options: ReplayOptions,
  step: number,
): Promise<ReplayedRun> {
  if (!isMainThread)
    throw new GoldenrunError(
      'GOLDENRUN_INSPECT',
      'breakAt needs the main thread of a process. In Vitest: --pool=forks. Or run npx goldenrun debug.',
    )
  const read = (await resolveTrace(trace, options)).trace
  const inspected = { agent, options }
  const { found } = await (await runOutside(startFinding)).replay(read, inspected)
  const places = found ?? { places: [], ofCall: [] }
  const { visits = [] } = await (await runOutside(() => startVisiting(places))).replay(read, inspected)
  const visit = visits.find((each) => each.step === step)?.visit
  if (visit === undefined) {
    const known = visits.map((each) => each.step).toSorted((one, other) => one - other)
    throw new GoldenrunError(
      'GOLDENRUN_INSPECT',
      `At step ${step}, the agent is not in its own code. Its own code runs at steps ${known.join(', ')}.`,
    )
  }
  const title = `goldenrun: ${read.header.golden?.name ?? read.header.id}`
  const ready = await runOutside(() => startDebugging(places, defaultLimits, { visit, title }))
  say(
    `Waiting for a debugger on 127.0.0.1:${ready.address.port} (${ready.address.client}). Attach Chrome or an editor to go to step ${step}.`,
  )
  return await ready.run(read, inspected)
}
