import { readdir } from 'node:fs/promises'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { replay } from '../../src/replay/replay.ts'
import { createTemporaryDirectory } from './temporary-directory.ts'

const server = await listen(async (_request, response) => void response.end('{"found":true}'))

/** How clients write a text into an address, a form and JSON. */
const ways: Readonly<Record<string, (text: string) => Promise<Response>>> = {
  'in a query': (text) => fetch(`${server.url}/find?q=${encodeURIComponent(text)}`),
  'in a query of a form': (text) => fetch(`${server.url}/find?${new URLSearchParams({ q: text }).toString()}`),
  'in a form': (text) => fetch(`${server.url}/call`, { method: 'POST', body: new URLSearchParams({ q: text }) }),
  'in JSON': (text) => fetch(`${server.url}/call`, { method: 'POST', body: JSON.stringify({ q: text }) }),
}

const written = ['(415) 555-2671', 'call (415)555-2671', 'Call (415) 555 2671 now', '1 (415) 555-2671', '+1 (415) 555-2671']

/** Each number, written in each way. */
export const writtenNumbers: readonly (readonly [text: string, way: string])[] = written.flatMap((text) =>
  Object.keys(ways).map((way) => [text, way] as const),
)

export function testSentNumbers(cases: readonly (typeof writtenNumbers)[number][]): void {
  it.each(cases)('replays an agent that sends "%s" %s, of its own or of its input, and keeps it nowhere', async (text, way) => {
    const send = ways[way] ?? fetch
    for (const input of [undefined, text]) {
      const agent = async (given = text): Promise<string> => await (await send(given)).text()
      await using directory = await createTemporaryDirectory()
      const recorder = createRecorder({ store: directory.resolve('runs') })
      await recorder.run({ agent: 'caller', input }, agent)
      await recorder.close()
      const [name = ''] = (await readdir(directory.resolve('runs'))).filter((each) => each !== 'index')
      const trace = await readTrace(directory.resolve('runs', name))
      expect(JSON.stringify(trace).replaceAll(/\D/g, '')).not.toContain('5552671')
      expect((await replay(trace, agent)).divergences).toEqual([])
    }
  })
}

export function testOtherNumbers(cases: readonly (typeof writtenNumbers)[number][]): void {
  it.each(cases)('is red where an agent sends another number than "%s" %s', async (text, way) => {
    const send = ways[way] ?? fetch
    await using directory = await createTemporaryDirectory()
    const recorder = createRecorder({ store: directory.resolve('runs') })
    const agent = async (given: string): Promise<string> => await (await send(given)).text()
    await recorder.run({ agent: 'caller', input: text }, agent)
    await recorder.close()
    const [name = ''] = (await readdir(directory.resolve('runs'))).filter((each) => each !== 'index')
    const trace = await readTrace(directory.resolve('runs', name))
    const run = await replay(trace, async () => await (await send(text.replace('2671', '2672'))).text())
    expect(run.divergences.map(({ step }) => step)).toEqual([1])
  })
}

/** Starts what the tests share, and ends it after them. */
export function setUpFormServer(): void {
  afterAll(() => server.close())
}
