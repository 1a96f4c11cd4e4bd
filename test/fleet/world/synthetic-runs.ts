import { createRecorder } from 'goldenrun'
import { toTauInput } from '../../../examples/tau/record-all.ts'
import { createTauAgent } from '../../../examples/tau/tau-agent.ts'
import { listTauRuns, loadTauRun } from '../../../examples/tau/tau-run.ts'
import { startTauWorld } from '../../../examples/tau/tau-world.ts'
import { linesToLog } from '../../../src/fleet/packs/run-entry.ts'
import type { RunSummary } from '../../../src/stores/run-summary.ts'
import { createDirectoryStore } from '../../../src/stores/directory-store.ts'
import { summarizeRecording } from '../../../src/stores/summarize-recording.ts'
import type { StoredLog } from '../../../src/stores/trace-store.ts'
import { createRandom, type Random } from '../../support/random.ts'
import { record } from '../../support/recordings.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { tool } from '../../../src/run/tool.ts'

/** A run that others are made from: what of it is the same in each, and the words that differ. */
interface Model {
  readonly summary: RunSummary
  /** Every other part is a word that differs. */
  readonly parts: readonly string[]
}

/** A run made from a real one: as many steps, the same prompts and schemas, other words, numbers, times and ids. */
export interface SyntheticRun {
  readonly summary: RunSummary
  /** JSON lines. */
  readonly lines: string
}

/** Makes runs, each from its number alone. */
export interface RunMaker {
  /** How many runs they are made from, and of which kind those are. */
  readonly origin: string
  make(number: number): SyntheticRun
  /** The summary of a run, without making its lines. */
  summarize(number: number): RunSummary
  /** The tag `user` of a run. */
  userOf(number: number): string
}

/** What the runs are like. */
export interface MakerOptions {
  /** When the first of them started, in milliseconds since the epoch. */
  readonly start: number
  /** How long after one the next one starts, in milliseconds. */
  readonly every: number
  readonly seed?: string
  /** How many texts there are: with fewer than runs, several runs have the same words, and differ in ids, times and tags. Default: one for each run. */
  readonly texts?: number
}

/**
 * Makes synthetic runs. The models are recorded runs of τ-bench where the data is there, and else runs of an agent of twelve steps.
 */
export async function createRunMaker({ start, every, seed = 'runs', texts = Infinity }: MakerOptions): Promise<RunMaker> {
  const recorded = await recordModels()
  const models = toModels(recorded.texts)
  const vocabulary = toVocabulary(models)
  const known = new Map<number, Text>()
  const makeText = (number: number): Text => {
    const random = createRandom(`${seed} ${number}`)
    const model = models[random.whole(0, models.length - 1)]
    if (model === undefined) throw new Error('There is no recording to make runs from.')
    return toText(model, vocabulary, random)
  }
  const textOf = (number: number): Text => {
    const text = known.get(number % texts) ?? makeText(number % texts)
    if (texts !== Infinity) known.set(number % texts, text)
    return text
  }
  const toSummary = ({ summary }: Text, number: number): RunSummary =>
    vary(summary, createRandom(`${seed} run ${number}`), start + number * every, number)
  return {
    origin: `${models.length} ${recorded.kind}`,
    userOf: (number) => `u-${drawUser(createRandom(`${seed} run ${number}`))}`,
    summarize: (number) => toSummary(textOf(number), number),
    make(number) {
      const text = textOf(number)
      const summary = toSummary(text, number)
      return { summary, lines: linesOf(text, summary) }
    },
  }
}

/** The recording of a run as a store has it. */
export function toStoredLog({ summary, lines }: SyntheticRun): StoredLog {
  const bytes = linesToLog(Buffer.from(lines))
  return {
    id: summary.id,
    file: `${summary.id}.runlog`,
    size: bytes.length,
    bytes: async () => bytes,
    async *stream() {
      yield bytes
    },
  }
}

interface Recorded {
  readonly kind: string
  readonly texts: readonly string[]
}

/** Of the model: each is followed by a call of a tool, or by what the customer says, so that a run has eleven steps before its last. */
const TURNS = 5

/** The twelfth step: a side effect with a key. */
const closeTicket = tool(
  'close_ticket',
  { effect: 'write', idempotencyKey: ({ ticket }) => ticket },
  async ({ ticket }: { ticket: string }) => ({
    closed: ticket,
  }),
)

/** One of so many runs throws in the end. */
const FAILING = 8

async function recordModels(): Promise<Recorded> {
  await using directory = await createTemporaryDirectory()
  const store = directory.resolve('runs')
  const tau = listTauRuns().map(loadTauRun)
  if (tau.length === 0) for (let run = 0; run < 8; run += 1) await recordTwelveSteps(store, run)
  else {
    const recorder = createRecorder({ store, thread: false })
    for (const [index, run] of tau.entries()) {
      await using world = await startTauWorld(run)
      const { context } = world
      const invocation = {
        agent: `tau-${run.domain}`,
        agentVersion: '1.41.0',
        input: toTauInput(run),
        tags: { plan: 'free', user: `u-${NOBODY}` },
      }
      const recorded = recorder.run(invocation, async (input) => {
        const output = await createTauAgent({ maxTurns: TURNS })(input, context)
        await closeTicket({ ticket: `ticket-${NOBODY}` })
        if (index % FAILING === 0) throw new Error(DEPARTED)
        return output
      })
      await recorded.catch((error: unknown) => {
        if (!(error instanceof Error) || error.message !== DEPARTED) throw error
      })
    }
    await recorder.close()
  }
  const source = createDirectoryStore(store)
  const texts: string[] = []
  for (const id of await source.list()) {
    const stored = await source.read(id)
    if (stored !== undefined) texts.push(stored.text)
  }
  await source.flush()
  return { kind: tau.length === 0 ? 'recordings of an agent with twelve steps' : 'recorded runs of τ-bench', texts }
}

/** What a run throws that fails. */
const DEPARTED = 'The customer left before the ticket was closed'

async function recordTwelveSteps(store: string, run: number): Promise<void> {
  const look = tool('look', { effect: 'read' }, async ({ step }: { step: number }) => ({
    found: `${notes[(step + run) % notes.length]} of visit ${run}`,
  }))
  await record(
    store,
    { agent: 'visitor', agentVersion: '1.41.0', tags: { plan: 'free', user: `u-${NOBODY}` }, input: { rules: notes.join(' ') } },
    async () => {
      for (let step = 0; step < 11; step += 1) await look({ step })
      await closeTicket({ ticket: `ticket-${NOBODY}` })
      if (run % FAILING === 0) throw new Error(DEPARTED)
      return `visited ${run}`
    },
  )
}

const notes = [
  'a parcel with two lamps',
  'the invoice of last week',
  'an address in another town',
  'a refund that was promised',
  'some order without a name',
]

function toModels(texts: readonly string[]): Model[] {
  const recordings = texts.map((text) => ({ text, summary: summarizeRecording({ file: 'model', text }) }))
  return [...Map.groupBy(recordings, ({ summary }) => summary.agent).values()].flatMap((group) => {
    const seen = new Map<string, number>()
    for (const { text } of group) for (const word of new Set(text.match(WORD))) seen.set(word, (seen.get(word) ?? 0) + 1)
    const isOwn = (word: string): boolean => (seen.get(word) ?? 0) * 2 < group.length
    return group.map(({ text, summary }) => ({ summary, parts: splitAtWords(text, isOwn) }))
  })
}

const WORD = /[A-Za-z0-9]{3,}/g

/** Words within strings that people or models wrote; all else is the same in each run. */
function splitAtWords(text: string, isOwn: (word: string) => boolean): string[] {
  const parts: string[] = []
  let last = 0
  for (const { 0: string, index } of text.matchAll(/"(?:[^"\\]|\\.)*"/g)) {
    if (!string.includes(' ') && !/"call_|"chatcmpl/.test(string)) continue
    for (const { 0: word, index: within } of string.matchAll(WORD)) {
      const at = index + within
      const isEscaped = text[at - 1] === '\\'
      if (isEscaped || !isOwn(word) || word === NOBODY) continue
      parts.push(text.slice(last, at), word)
      last = at + word.length
    }
  }
  return [...parts, text.slice(last)]
}

type Vocabulary = ReadonlyMap<number, readonly string[]>

function toVocabulary(models: readonly Model[]): Vocabulary {
  const words = models.flatMap(({ parts }) => parts.filter((part, index) => index % 2 === 1 && !/\d/.test(part)))
  return Map.groupBy(new Set(words), ({ length }) => length)
}

/** A run but for its ids, times and tags. */
interface Text {
  readonly summary: RunSummary
  /** Every other part stands for an id, a time or a tag of the model. */
  readonly parts: readonly string[]
}

function toText({ summary, parts }: Model, vocabulary: Vocabulary, random: Random): Text {
  const chosen = new Map<string, string>()
  const texts = parts.map((part, index) => {
    if (index % 2 === 0) return part
    const known = chosen.get(part)
    if (known !== undefined) return known
    const word = another(part, vocabulary, random)
    chosen.set(part, word)
    return word
  })
  const lines = texts.join('')
  const end = lines.lastIndexOf('{"kind":"end"')
  const marked = `${lines.slice(0, end)}${lines.slice(end).replace(/"at":[\d.]+/, `"at":${DURATION}`)}`
  const places = new RegExp(`(${[DURATION, NOBODY, summary.id, summary.traceId, summary.startedAt].join('|')})`)
  return { summary, parts: marked.split(places) }
}

/** The user of the runs that others are made from. */
const NOBODY = '00000000'

/** In place of how long a run took. */
const DURATION = '#duration#'

function drawUser(random: Random): string {
  return random.whole(0, 99_999_999).toString().padStart(8, '0')
}

function vary(summary: RunSummary, random: Random, startedMs: number, number: number): RunSummary {
  const user = drawUser(random)
  const startedAt = new Date(startedMs).toISOString()
  const digits = (number % 2 ** 31).toString(16).padStart(8, '0')
  const id = `${startedAt.slice(0, 10).replaceAll('-', '')}-${startedAt.slice(11, 23).replaceAll(/[:.]/g, '')}-${digits}`
  const words = Array.from({ length: 4 }, () => random.whole(0, 2 ** 32 - 1))
  const traceId = words.map((word) => word.toString(16).padStart(8, '0')).join('')
  const effects = summary.effects?.map((effect) => ({ ...effect, ...(effect.key && { key: effect.key.replace(NOBODY, user) }) }))
  const durationMs = random.whole(2000, 90_000)
  return { ...summary, id, traceId, startedAt, durationMs, tags: { ...summary.tags, user: `u-${user}` }, ...(effects && { effects }) }
}

function linesOf({ summary: model, parts }: Text, { id, traceId, startedAt, durationMs, tags }: RunSummary): string {
  const own = new Map([
    [DURATION, String(durationMs)],
    [NOBODY, tags['user']?.slice(2)],
    [model.id, id],
    [model.traceId, traceId],
    [model.startedAt, startedAt],
  ])
  return parts.map((part, index) => (index % 2 === 0 ? part : (own.get(part) ?? part))).join('')
}

/** A word of the same length, so that places in a text stay what they are. */
function another(word: string, vocabulary: Vocabulary, random: Random): string {
  if (/\d/.test(word)) return word.replaceAll(/\d/g, () => String(random.whole(1, 9)))
  const words = vocabulary.get(word.length) ?? [word]
  return words[random.whole(0, words.length - 1)] ?? word
}
