import { readdirSync, readFileSync, statSync, watch } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import path from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { promote } from '../../src/goldens/promote.ts'
import { replay } from '../../src/replay/replay.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { external } from '../../src/run/external.ts'
import { live } from '../../src/run/live.ts'
import { tool } from '../../src/run/tool.ts'
import { isLog, readLog } from '../../src/stores/event-log/read-log.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { formsOf, planted, secretsFor } from './secrets.ts'

const textsFor = (place: number): string[] => secretsFor(place).map(({ text }) => text)
/** Of the kind that is known by its path alone, which the input tells. */
const names = planted.flatMap(({ kind, secret }) => (kind === 'own-path' ? [{ name: secret }] : []))
const [ofInput, ofHeader, ofResults, ofErrors] = [textsFor(0), textsFor(1), textsFor(3), textsFor(4)]
const [ofAnswers, ofStreams] = [textsFor(7), textsFor(8)]

interface Input {
  readonly customers: readonly { readonly name: string }[]
}

const server = await listen(async (request, response) => {
  for await (const _ of request);
  if (request.url?.startsWith('/answers') === true) {
    response.setHeader('content-type', 'application/json')
    for (const [index, piece] of inPieces(JSON.stringify({ answers: ofAnswers }), 40).entries()) {
      response.write(piece)
      if (index % 8 === 0) await sleep(1)
    }
  } else if (request.url?.startsWith('/v1/chat/completions') === true) {
    response.setHeader('content-type', 'text/event-stream')
    // Each text in three deltas, and the bytes of the events in pieces that know nothing of them.
    const deltas = ofStreams.flatMap((text) => [...inPieces(`${text}\n`, Math.ceil(text.length / 3)), '. '])
    const events = deltas.map((content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`)
    for (const piece of inPieces(`${events.join('')}data: [DONE]\n\n`, 100)) {
      response.write(piece)
      await sleep(1)
    }
  } else {
    for (const [index, text] of ofAnswers.entries()) response.appendHeader(`x-ratelimit-${index}`, encodeURIComponent(text))
    response.setHeader('x-request-id', encodeURIComponent(ofAnswers[0] ?? ''))
  }
  response.end()
})
afterAll(() => server.close())

const keep = tool(
  'keep',
  { effect: 'write', idempotencyKey: (args: readonly unknown[]) => String(args[0]) },
  async (..._args: unknown[]) => ({
    list: ofResults,
    map: new Map(ofResults.map((text, index) => [`${index}`, text])),
    bytes: Buffer.from(ofResults.join('\n')),
    error: new Error(ofResults.join(', ')),
  }),
)
const fails = external('fails', async () => {
  const [text = '', ...others] = ofErrors
  throw Object.assign(new Error(`${text} ${others.join(' ')}`, { cause: new Error(others.join(' ')) }), { code: text, details: { others } })
})
const token = external('token', async () => ({ token: ofAnswers.join(' ') }))

/** What the agent's own code holds, but for what it knows of its input alone. */
const ownOf = (place: number, { customers }: Input): string[] => [...textsFor(place).slice(0, -1), customers[place]?.name ?? '']

const agent = async (given: Input): Promise<unknown> => {
  const [ofArguments, ofUrls, ofRequests, ofStates] = [ownOf(2, given), ownOf(5, given), ownOf(6, given), ownOf(9, given)]
  await token()
  await keep([
    ofArguments.join(' '),
    ...ofArguments,
    { bytes: Buffer.from(ofArguments.join('\n')), nested: [new URL(`https://a.example/?q=${encodeURIComponent(ofArguments.join(' '))}`)] },
  ])
  await fails().catch(() => undefined)
  for (const text of ofUrls) {
    const query = encodeURIComponent(text)
    await (await fetch(`${server.url}/${query}?q=${query}`, { headers: { 'x-api-version': query } })).text()
  }
  const binary = Buffer.concat([Buffer.from([255, 0, 254]), Buffer.from(ofRequests.join('\n')), Buffer.from([0, 255])])
  for (const body of [
    JSON.stringify(ofRequests),
    JSON.stringify({ requests: ofRequests }, null, 2),
    new URLSearchParams(ofRequests.map((text) => ['text', text])),
    binary,
  ]) {
    await (await fetch(`${server.url}/requests`, { method: 'POST', body })).text()
  }
  const answers: unknown = await (await fetch(`${server.url}/answers`)).json()
  const stream = await (
    await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body: '{"model":"gpt-4.1","messages":[]}' })
  ).text()
  const said = stream.split('\n\n').flatMap((event) => (event.startsWith('data: {') ? [readDelta(event)] : []))
  checkpoint('done', { states: ofStates, answers, said: said.join('') })
  for (const text of ofStates) {
    live(`needs ${text}`, () => undefined)
    currentRun()?.flag(`leaked ${text}`)
  }
  await keep(['again', { [ofStates.join(' ')]: ofStates }])
  return { states: ofStates, map: new Map([[ofStates.join(), 1]]), said: said.join('') }
}

function readDelta(event: string): string {
  return (JSON.parse(event.slice(6)) as { choices: { delta: { content: string } }[] }).choices[0]?.delta.content ?? ''
}

function inPieces(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) => text.slice(index * length, (index + 1) * length))
}

const sought = planted.map(({ kind, secret }) => ({ kind, secret, forms: formsOf(secret) }))

/** Which secrets are in a text, in any form. */
function secretsIn(text: string): string[] {
  return sought.filter(({ forms }) => forms.some((form) => text.includes(form))).map(({ kind, secret }) => `${kind}: ${secret}`)
}

/** The longest form of a secret. */
const longest = Math.max(...sought.flatMap(({ forms }) => forms.map(({ length }) => length)))

/** What files had in them when they were looked at last, by their names. */
const looked = new Map<string, string>()

/** What is new in a file, and as much before it as a secret is long. */
function newIn(name: string, text: string): string {
  const before = looked.get(name) ?? ''
  looked.set(name, text)
  return text.startsWith(before) ? text.slice(Math.max(before.length - longest, 0)) : text
}

/** What is new in the files below a directory, temporary ones too, with their names; of logs what their bytes stand for. */
function newBelow(directory: string): string {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      try {
        const file = path.join(directory, name)
        return statSync(file).isFile() ? `${name}\n${newIn(name, textOf(readFileSync(file), name))}` : name
      } catch {
        // It was renamed meanwhile: then it is looked at under its other name.
        return name
      }
    })
    .join('\n')
}

function textOf(bytes: Buffer, file: string): string {
  return isLog(bytes) ? Buffer.from(readLog(bytes, file)).toString('latin1') : bytes.toString('latin1')
}

it('has two hundred secrets of twenty kinds to look for, and would find each in any form', () => {
  expect(planted).toHaveLength(200)
  expect(new Set(planted.map(({ kind }) => kind)).size).toBe(20)
  expect(new Set(planted.map(({ secret }) => secret)).size).toBe(200)
  for (const { kind, secret, text } of planted) {
    const bytes = Buffer.from(`_${text}`).toString('base64')
    for (const written of [text, JSON.stringify({ text }), encodeURIComponent(text), bytes]) {
      expect(secretsIn(written), written).toContain(`${kind}: ${secret}`)
    }
  }
})

it('finds none of two hundred secrets on the disk, at any time, and replays the run', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const seen = new Set<string>()
  let looks = 0
  const look = (): void => {
    looks += 1
    for (const secret of secretsIn(newBelow(project.path))) seen.add(secret)
  }
  const watcher = watch(project.path, { recursive: true }, look)
  process.env['TEST_SECRET_ENVIRONMENT'] = ofHeader.join(' ')
  const recorder = createRecorder({
    store: '.goldenrun/runs',
    env: ['TEST_SECRET_ENVIRONMENT'],
    ambient: ['token'],
    redact: {
      rules: [
        { name: 'customer', pattern: /\bCUST-\d+/ },
        { name: 'name', path: 'customers[*].name' },
      ],
    },
  })
  const input = { customers: names, texts: ofInput, map: new Map(ofInput.map((text) => [text, text])) }
  const tags = Object.fromEntries(ofHeader.map((text, index) => [`tag ${index}`, text]))
  try {
    for (let run = 0; run < 2; run += 1) {
      await recorder.run({ agent: 'leaky', input, tags, agentVersion: ofHeader.join(' ') }, agent)
      look()
    }
    const [, second = ''] = await vi.waitFor(() => {
      const logs = readdirSync('.goldenrun/runs').filter((name) => name.endsWith('.runlog'))
      expect(logs).toHaveLength(2)
      return logs.toSorted()
    }, 10_000)
    const trace = await readTrace(path.join('.goldenrun/runs', second))
    expect(trace.header.ambient?.answers).toHaveLength(1)
    await promote(trace, { name: 'leaky' })
    look()
    // What was assembled of a stream is not in one place of a file.
    const said = trace.steps.flatMap(({ name, output }) => (name === 'openai.chat' ? [JSON.stringify(output)] : []))
    expect(
      secretsIn(said.join('').replaceAll(/"\}\}\]\}(?:\\n)+data: \{\\"choices\\":\[\{\\"index\\":0,\\"delta\\":\{\\"content\\":\\"/g, '')),
    ).toEqual([])
    expect(secretsIn(JSON.stringify(trace.checkpoints))).toEqual([])

    const replayed = await replay('leaky', agent)
    expect(replayed.divergences).toEqual([])
    expect(replayed.hash).toBe(trace.hash)
  } finally {
    watcher.close()
    delete process.env['TEST_SECRET_ENVIRONMENT']
    await recorder.close()
  }
  expect(looks).toBeGreaterThan(3)
  expect([...seen]).toEqual([])
})
