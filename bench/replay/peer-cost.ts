import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { replay } from 'goldenrun/replay'
import { startProvider } from '../../examples/world/provider.ts'
import type { Absences, Metric, Metrics } from '../figures.ts'
import { measureRounds, median, medianRatio, type RoundsOptions } from '../rounds.ts'
import { aimock } from './peers/aimock.ts'
import { installPeers, PEER_PACKAGES, versionOf } from './peers/install.ts'
import { nock } from './peers/nock.ts'
import type { Peer, PeerAgent, PeerRecording } from './peers/peer.ts'
import { polly } from './peers/polly.ts'
import { recordGolden } from './record-golden.ts'
import type { Sizes } from './sizes.ts'
import { createStepsAgent, type StepsInput } from './steps-agent.ts'

/** Faster than each of them. */
const GOAL = 1

const ANSWER = 'It left the warehouse this morning and will be with you by tomorrow at noon.'

const PEERS: readonly (Peer & { readonly packageName: string })[] = [
  { ...aimock, packageName: PEER_PACKAGES.aimock },
  { ...nock, packageName: PEER_PACKAGES.nock },
  { ...polly, packageName: PEER_PACKAGES.polly },
]

/** The number of server-sent events in a streamed answer: those of the text, and three around them. */
const CHUNKS = 20

/** Measures a replayed step, JSON and streamed, compared with the same SDK call answered by the alternatives that a user would choose. */
export async function measurePeerCost(note: (line: string) => void, sizes: Sizes): Promise<PeerFigures> {
  const failure = sizes.mayInstall ? installPeers(note) : 'a quick run installs nothing to measure against'
  const json = { steps: sizes.steps, streaming: false }
  const stream = { steps: sizes.streamedSteps, streaming: true }
  if (failure !== undefined) {
    const names = [json, stream].flatMap((input) => PEERS.map(({ name }) => toMetricName(name, input)))
    return { metrics: {}, absences: Object.fromEntries(names.map((name) => [name, failure])) }
  }
  const [one, other] = [await measureCalls(note, json, sizes.peerRounds), await measureCalls(note, stream, sizes.peerRounds)]
  return { metrics: { ...one.metrics, ...other.metrics }, absences: { ...one.absences, ...other.absences } }
}

interface PeerFigures {
  readonly metrics: Metrics
  readonly absences: Absences
}

async function measureCalls(note: (line: string) => void, input: StepsInput, rounds: RoundsOptions): Promise<PeerFigures> {
  const folder = await mkdtemp(path.join(tmpdir(), 'goldenrun-bench-'))
  const recordings: Record<string, PeerRecording> = {}
  const absences: Record<string, string> = {}
  try {
    const answers = input.streaming ? `answers streamed in ${CHUNKS} chunks` : 'JSON answers'
    note(`Recording ${input.steps} model calls with ${answers} with each of ${PEERS.map(({ name }) => name).join(', ')}.`)
    const golden = await recordAll(folder, input, recordings, absences)
    await dropUnable(input, recordings, absences)
    note(`Measuring up to ${rounds.rounds} interleaved rounds.`)
    const contestants: Record<string, () => Promise<void>> = { goldenrun: () => replayGolden(golden, input) }
    for (const [name, recording] of Object.entries(recordings)) contestants[name] = () => recording.replay(makeCalls(input))
    const times = await measureRounds(contestants, rounds)
    const perStep = (each: readonly number[]): string => `${((median(each) / input.steps) * 1000).toFixed(0)} µs`
    const ours = times['goldenrun'] ?? { wall: [], cpu: [] }
    const compared = PEERS.flatMap(({ name, packageName }): [string, Metric][] => {
      const theirs = times[name]
      if (theirs === undefined) return []
      const against =
        `${packageName} ${versionOf(packageName)}, ${answers}: ${perStep(ours.wall)} a step against ${perStep(theirs.wall)} on the wall; ` +
        `${medianRatio(ours.cpu, theirs.cpu).toFixed(2)} x in CPU time`
      return [[toMetricName(name, input), { value: medianRatio(ours.wall, theirs.wall), unit: 'x', against, goal: GOAL }]]
    })
    return { metrics: Object.fromEntries(compared), absences }
  } finally {
    for (const recording of Object.values(recordings)) await recording.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Records the same calls with everyone, goldenrun last. The provider is gone afterwards, so that anything that still asked it would fail. */
async function recordAll(
  folder: string,
  input: StepsInput,
  recordings: Record<string, PeerRecording>,
  absences: Record<string, string>,
): Promise<string> {
  // Some milliseconds apart, so that two events do not arrive as one.
  const turn = input.streaming ? { text: ANSWER, chunks: CHUNKS - 3, chunkDelayMs: 3 } : { text: ANSWER }
  await using provider = await startProvider({ script: () => turn, keepExchanges: false })
  for (const { name, record } of PEERS) {
    try {
      const recording = await record(makeCalls(input), provider.openaiBaseUrl, await mkdtemp(path.join(folder, `${name}-`)))
      recordings[name] = recording
    } catch (error) {
      absences[toMetricName(name, input)] = `could not record the calls: ${toLine(error)}`
    }
  }
  const agent = createStepsAgent({ baseUrl: provider.openaiBaseUrl })
  const { file } = await recordGolden({ input, keepIn: path.join(folder, 'goldenrun') }, agent)
  return file
}

/** Drops the peers that cannot answer without the provider, which is gone by now. */
async function dropUnable(input: StepsInput, recordings: Record<string, PeerRecording>, absences: Record<string, string>): Promise<void> {
  for (const [name, recording] of Object.entries(recordings)) {
    try {
      await recording.replay(makeCalls(input))
    } catch (error) {
      absences[toMetricName(name, input)] = `could not answer the calls that it had recorded: ${toLine(error)}`
      delete recordings[name]
      await recording.close()
    }
  }
}

function makeCalls(input: StepsInput): PeerAgent {
  return async (baseUrl) => checkAnswers(await createStepsAgent({ baseUrl })(input), input)
}

/** Reads the golden each time, as a test does. */
async function replayGolden(file: string, input: StepsInput): Promise<void> {
  const { divergences, outcome } = await replay(file, createStepsAgent())
  if (divergences.length > 0) throw new Error(`The measured replay diverged: ${JSON.stringify(divergences[0])}`)
  checkAnswers(outcome.status === 'returned' ? outcome.output : [], input)
}

/** Checks the answers: answering faster with something else would be a different job. */
function checkAnswers(answers: readonly string[], { steps }: StepsInput): void {
  if (answers.length !== steps || answers.some((answer) => answer !== ANSWER)) throw new Error('The calls were not answered as recorded.')
}

function toMetricName(peer: string, { streaming }: StepsInput): string {
  return `${streaming ? 'stream_' : ''}step_vs_${peer}`
}

/** Returns an error's first line, which has to fit into a table. */
function toLine(error: unknown): string {
  const [line = ''] = String(error).split('\n')
  return line.slice(0, 160)
}
