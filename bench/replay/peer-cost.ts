import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { replay } from 'goldenrun/replay'
import { startProvider } from '../../examples/world/provider.ts'
import type { Absences, Metric, Metrics } from '../figures.ts'
import { measureRounds, median, medianRatio } from '../rounds.ts'
import { aimock } from './peers/aimock.ts'
import { installPeers, PEER_PACKAGES, versionOf } from './peers/install.ts'
import { nock } from './peers/nock.ts'
import type { Peer, PeerAgent, PeerRecording } from './peers/peer.ts'
import { polly } from './peers/polly.ts'
import { recordGolden } from './record-golden.ts'
import { createStepsAgent } from './steps-agent.ts'

const STEPS = 200

const ROUNDS = { rounds: 15, warmUp: 3, seconds: 25 }

/** Ahead of each of them. */
const GOAL = 1

const ANSWER = 'It left the warehouse this morning and will be with you by tomorrow at noon.'

const PEERS: readonly (Peer & { readonly packageName: string })[] = [
  { ...aimock, packageName: PEER_PACKAGES.aimock },
  { ...nock, packageName: PEER_PACKAGES.nock },
  { ...polly, packageName: PEER_PACKAGES.polly },
]

/** What a replayed step costs, against the same SDK call answered by what a user would pick instead. */
export async function measurePeerCost(note: (line: string) => void): Promise<{ metrics: Metrics; absences: Absences }> {
  const failure = installPeers(note)
  if (failure !== undefined) return { metrics: {}, absences: Object.fromEntries(PEERS.map(({ name }) => [toMetricName(name), failure])) }

  const folder = await mkdtemp(path.join(tmpdir(), 'goldenrun-bench-'))
  const recordings: Record<string, PeerRecording> = {}
  const absences: Record<string, string> = {}
  try {
    note(`Recording ${STEPS} model calls with each of ${PEERS.map(({ name }) => name).join(', ')}.`)
    const golden = await recordAll(folder, recordings, absences)
    await dropUnable(recordings, absences)
    note(`Measuring up to ${ROUNDS.rounds} interleaved rounds.`)
    const contestants: Record<string, () => Promise<void>> = { goldenrun: () => replayGolden(golden) }
    for (const [name, recording] of Object.entries(recordings)) contestants[name] = () => recording.replay(makeCalls)
    const times = await measureRounds(contestants, ROUNDS)
    const ours = times['goldenrun'] ?? { wall: [], cpu: [] }
    const compared = PEERS.flatMap(({ name, packageName }): [string, Metric][] => {
      const theirs = times[name]
      if (theirs === undefined) return []
      const against =
        `${packageName} ${versionOf(packageName)}: ${perStep(ours.wall)} a step against ${perStep(theirs.wall)} on the wall; ` +
        `${medianRatio(ours.cpu, theirs.cpu).toFixed(2)} x in CPU time`
      return [[toMetricName(name), { value: medianRatio(ours.wall, theirs.wall), unit: 'x', against, goal: GOAL }]]
    })
    return { metrics: Object.fromEntries(compared), absences }
  } finally {
    for (const recording of Object.values(recordings)) await recording.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Records the same calls with everyone, goldenrun last. The provider is gone afterwards: whoever still asked it would fail. */
async function recordAll(folder: string, recordings: Record<string, PeerRecording>, absences: Record<string, string>): Promise<string> {
  await using provider = await startProvider({ script: () => ({ text: ANSWER }), keepExchanges: false })
  for (const { name, record } of PEERS) {
    try {
      const recording = await record(makeCalls, provider.openaiBaseUrl, await mkdtemp(path.join(folder, `${name}-`)))
      recordings[name] = recording
    } catch (error) {
      absences[toMetricName(name)] = `could not record the calls: ${toLine(error)}`
    }
  }
  const agent = createStepsAgent({ baseUrl: provider.openaiBaseUrl })
  const { file } = await recordGolden({ input: { steps: STEPS, streaming: false }, keepIn: path.join(folder, 'goldenrun') }, agent)
  return file
}

/** The provider is gone by now. A peer that cannot answer without it is not measured. */
async function dropUnable(recordings: Record<string, PeerRecording>, absences: Record<string, string>): Promise<void> {
  for (const [name, recording] of Object.entries(recordings)) {
    try {
      await recording.replay(makeCalls)
    } catch (error) {
      absences[toMetricName(name)] = `could not answer the calls that it had recorded: ${toLine(error)}`
      delete recordings[name]
      await recording.close()
    }
  }
}

const makeCalls: PeerAgent = async (baseUrl) => checkAnswers(await createStepsAgent({ baseUrl })({ steps: STEPS, streaming: false }))

/** Reads the golden each time, as a test does. */
async function replayGolden(file: string): Promise<void> {
  const { divergences, outcome } = await replay(file, createStepsAgent())
  if (divergences.length > 0) throw new Error(`The replay that is measured diverged: ${JSON.stringify(divergences[0])}`)
  checkAnswers(outcome.status === 'returned' ? outcome.output : [])
}

/** Whoever answers faster with something else does another job. */
function checkAnswers(answers: readonly string[]): void {
  if (answers.length !== STEPS || answers.some((answer) => answer !== ANSWER)) throw new Error('The calls were not answered as recorded.')
}

function toMetricName(peer: string): string {
  return `step_vs_${peer}`
}

/** An error's first line, which has to fit into a table. */
function toLine(error: unknown): string {
  const [line = ''] = String(error).split('\n')
  return line.slice(0, 160)
}

function perStep(times: readonly number[]): string {
  return `${((median(times) / STEPS) * 1000).toFixed(0)} µs`
}
