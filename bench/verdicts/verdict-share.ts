import { Session } from 'node:inspector/promises'
import type { Profiler } from 'node:inspector'
import { replay, type Trace } from 'goldenrun/replay'
import { startProvider } from '../../examples/world/provider.ts'
import { rooms } from '../../scripts/rooms.ts'
import type { Metric, Metrics, SuiteOptions } from '../figures.ts'
import { recordGolden } from '../replay/record-golden.ts'
import { createStepsAgent, type StepsInput } from '../replay/steps-agent.ts'

/** The rooms that decide during a replay whether the agent did the same. What they call is part of their cost. */
const VERDICT_ROOMS = ['redaction', 'divergence', 'replay/judge']

/** A key that redaction replaces, so that no body is as it was recorded, and each has to be compared in canonical form. */
const SECRET = 'sk-proj-AbCdEfGhIjKlMnOpQrStUvWxYz012345'

/** The upper limit: a quarter. */
const GOAL = 0.25

/** Measures which share of a replay's time its verdict takes, with default redaction: with unchanged bodies, and with a secret in each. */
export async function measureVerdictShare(note: (line: string) => void, { quick }: SuiteOptions): Promise<Metrics> {
  const steps = quick ? 3 : 200
  const replays = quick ? 1 : 60
  note(`Profiling ${replays} replays of ${steps} model calls, without and with a secret in each.`)
  const plain = await recordSteps({ steps, streaming: false })
  const secret = await recordSteps({ steps, streaming: false }, `The key is ${SECRET}.`)
  if (JSON.stringify(secret.rows).includes(SECRET)) throw new Error('The secret was recorded: redaction is off.')
  return {
    verdict_share_of_replay: await measureShare(plain, replays, 'bodies as they were recorded'),
    verdict_share_of_replay_redacted: await measureShare(secret, replays, 'a secret in each body', `The key is ${SECRET}.`),
  }
}

/** @param policy The policy in the agent's own code. */
async function recordSteps(input: StepsInput, policy?: string): Promise<Trace> {
  await using provider = await startProvider({ script: () => ({ text: 'Tomorrow at noon.' }), keepExchanges: false })
  return (await recordGolden({ input }, withPolicy(createStepsAgent({ baseUrl: provider.openaiBaseUrl }), policy))).trace
}

function withPolicy<Output>(agent: (input: StepsInput) => Output, policy: string | undefined): (input: StepsInput) => Output {
  return (input) => agent(policy === undefined ? input : { ...input, policy })
}

async function measureShare(golden: Trace, replays: number, what: string, policy?: string): Promise<Metric> {
  const agent = withPolicy(createStepsAgent(), policy)
  const replayAll = async (): Promise<void> => {
    for (let time = 0; time < replays; time += 1) {
      const { divergences } = await replay(golden, agent)
      if (divergences.length > 0) throw new Error(`The measured replay diverged: ${JSON.stringify(divergences[0])}`)
    }
  }
  await replayAll()
  const { verdict, all } = await profileVerdict(replayAll)
  const perStep = (time: number): string => `${(time / replays / golden.steps.length).toFixed(1)} µs`
  const against = `the whole replay, ${what}: ${perStep(verdict)} a step against ${perStep(all)}, by a profile of samples`
  return { value: verdict / all, unit: 'x', against, goal: GOAL }
}

/** Microseconds of a profile. */
export interface VerdictTime {
  /** In the rooms of the verdict, and in what they call. */
  readonly verdict: number
  readonly all: number
}

/** Profiles replays, and adds up the time that their verdicts take. */
export async function profileVerdict(replays: () => Promise<void>): Promise<VerdictTime> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: 200 })
    await session.post('Profiler.start')
    await replays()
    const { profile } = await session.post('Profiler.stop')
    return addUp(profile)
  } finally {
    session.disconnect()
  }
}

function addUp({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): VerdictTime {
  const verdictRooms = matchRooms()
  // Starting the profiler takes as long as many replays.
  const idle = new Set(
    nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)' || callFrame.url === 'node:inspector').map(({ id }) => id),
  )
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const judging = new Set(nodes.filter(({ callFrame }) => verdictRooms.test(callFrame.url)).map(({ id }) => id))
  const isOfVerdict = (id: number | undefined): boolean => id !== undefined && (judging.has(id) || isOfVerdict(parents.get(id)))
  let verdict = 0
  let all = 0
  for (const [index, id] of samples.entries()) {
    if (idle.has(id)) continue
    const time = timeDeltas[index] ?? 0
    all += time
    if (isOfVerdict(id)) verdict += time
  }
  return { verdict, all }
}

/** A room that was moved or renamed would take its time out of the figure, unnoticed. */
function matchRooms(): RegExp {
  const missing = VERDICT_ROOMS.filter((name) => !rooms.some((room) => room.name === name))
  if (missing.length > 0)
    throw new Error(`There is no room ${missing.join(', ')} in scripts/rooms.ts. Name the rooms of the verdict anew in VERDICT_ROOMS.`)
  return new RegExp(`/src/(?:${VERDICT_ROOMS.join('|')})/`)
}
