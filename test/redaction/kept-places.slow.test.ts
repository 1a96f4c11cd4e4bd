import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { readBody } from '../../examples/world/read-body.ts'
import { createReport, renderReport } from '../../src/divergence/create-report.ts'
import { toMarkdown } from '../../src/divergence/report/markdown.ts'
import { promote } from '../../src/goldens/promote.ts'
import { pageOfReplay, toHtml } from '../../src/goldens/pages/to-page.ts'
import { judge } from '../../src/matchers/holds.ts'
import { otel } from '../../src/otel.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { replay } from '../../src/replay/replay.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { tool } from '../../src/run/tool.ts'
import { readLog } from '../../src/stores/event-log/read-log.ts'
import { startTracing } from '../otel/traced.ts'
import { dataOfPage } from '../support/page-data.ts'
import { createRandom } from '../support/random.ts'
import { recordOnThread } from '../support/record-on-thread.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { forms, readings } from './containers/forms.ts'
import { innocents } from './containers/innocents.ts'
import { containerKinds, countries } from './containers/kinds.ts'

/** How many kinds and innocents are tried: all with `npm run test:full -- places`. */
const count = Number(process.env['GOLDENRUN_PLACES'] ?? 4)
const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())

interface Sample {
  readonly kind: string
  readonly text: string
  /** Undefined for a text without one. */
  readonly secret?: string
}

/** The places in which goldenrun keeps or tells something of a run, and what each has. */
type Places = Readonly<Record<string, string>>

const drawn = <Item>(items: readonly Item[]): Item[] => {
  const random = createRandom(seed)
  const order = items.map((item) => ({ item, at: random.next() })).toSorted((one, other) => one.at - other.at)
  return order.slice(0, count).map(({ item }) => item)
}

const samples: readonly Sample[] = [...drawn(containerKinds), ...drawn(Object.entries(innocents)).map(([kind, text]) => ({ kind, text }))]

const redact = { countries }

/** An agent that has a text in every place of its run. A replay gets another word before it, so that it differs. */
function agentOf(given: unknown, url: string, word: string, gate: Promise<void>) {
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  return async (): Promise<unknown> => {
    const pay = tool('pay', { effect: 'write' }, async (order: unknown) => ({ paid: order }))
    await fetch(url, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: text }).then((response) => response.text())
    checkpoint('asked', { given })
    await pay({ word, given })
    await gate
    await pay({ word: 'last', given }).catch(() => undefined)
    throw new Error(text)
  }
}

/** The files below a directory, as text. */
function filesIn(directory: string, wanted: (name: string) => boolean): string {
  const names = readdirSync(directory, { recursive: true }).map(String).filter(wanted)
  const files = names.map((name) => path.join(directory, name)).filter((file) => statSync(file).isFile())
  return files.map((file) => readFileSync(file, 'utf8')).join('\n')
}

it.each(Object.keys(forms))(
  `keeps no secret %s in any place, and leaves what is no secret (GOLDENRUN_SEED=${seed})`,
  { timeout: 600_000 },
  async (form) => {
    await using directory = await createTemporaryDirectory()
    await using server = await listen(async (request, response) => void response.end(await readBody(request)))
    using tracing = startTracing()
    const store = directory.resolve('runs')
    const recorder = await recordOnThread(store, {
      redact,
      telemetry: otel({ content: true }),
      limits: { closeMilliseconds: 120_000 },
    })
    const gate = Promise.withResolvers<void>()
    const ids: string[] = []
    const running = samples.map((sample, index) => {
      const given = forms[form]?.(sample.text)
      const tags = { note: typeof given === 'string' ? given : JSON.stringify(given) }
      const agent = agentOf(given, server.url, 'first', gate.promise)
      const work = recorder.run({ agent: 'keeper', input: { given }, tags }, () => {
        ids[index] = currentRun()?.id ?? ''
        return agent()
      })
      return work.catch(() => undefined)
    })
    const journals = async (): Promise<string> => {
      for (let tries = 0; tries < 1000; tries += 1) {
        const names = readdirSync(store, { recursive: true }).filter((name) => String(name).endsWith('.journal'))
        if (names.length >= samples.length) break
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return filesIn(store, (name) => name.endsWith('.journal'))
    }
    const journal = await journals()
    gate.resolve()
    await Promise.all(running)
    await recorder.close()
    const index = filesIn(store, (name) => name.startsWith('index'))
    expect([journal.includes('pay'), index.length > 1000]).toEqual([true, true])
    const told = JSON.stringify(
      tracing.exporter.getFinishedSpans().map(({ name, attributes, events, status }) => [name, attributes, events, status]),
    )
    expect(told).toContain('pay')
    const left: string[] = []
    const changed: string[] = []
    for (const [at, { kind, secret, text }] of samples.entries()) {
      const given = forms[form]?.(text)
      const places = { ...(await placesOf(ids[at] ?? '', directory.path, given, server.url)), journal, index, spans: told }
      // A value is kept as a value, without the spaces that its text had.
      const kept = form === 'as a value' ? JSON.stringify(given) : text
      for (const [place, bytes] of Object.entries(places)) {
        const read = readings(bytes)
        if (secret !== undefined && read.some((each) => halvesOf(secret).some((half) => each.includes(half))))
          left.push(`${kind} in ${place}`)
        if (secret === undefined && whole.includes(place) && !read.some((each) => each.includes(kept))) changed.push(`${kind} in ${place}`)
      }
    }
    expect(left).toEqual([])
    expect(changed).toEqual([])
  },
)

/** Places that have a text in full; reports cut it. */
const whole = ['recording', 'golden', 'page']

/** A secret, and its second half: a prefix may stay. */
function halvesOf(secret: string): string[] {
  return [secret, secret.slice(-Math.max(6, Math.ceil(secret.length / 2)))]
}

async function placesOf(id: string, directory: string, given: unknown, url: string): Promise<Places> {
  const trace = await readTrace(id, { store: path.join(directory, 'runs') })
  const goldens = path.join(directory, 'goldens')
  await promote(trace, { name: id, directory: goldens })
  const golden = readFileSync(path.join(goldens, `${id}.jsonl`), 'utf8')
  const run = await replay(trace, agentOf(given, url, 'other', Promise.resolve()))
  const verdict = judge(run)
  if (verdict.holds) throw new Error('The changed agent has to be red.')
  const report = createReport(run)
  return {
    // Decompressed.
    recording: readLog(readFileSync(path.join(directory, 'runs', `${id}.runlog`)), id),
    golden,
    page: JSON.stringify(dataOfPage(toHtml(pageOfReplay(run, verdict), 'a page'))),
    'report as text': renderReport(run, { color: false, width: 100 }),
    'report as JSON': JSON.stringify(report),
    'report as Markdown': toMarkdown(report),
  }
}
