import { createRequire } from 'node:module'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import type { DispatchHandler, Dispatcher } from '../../src/boundaries/http/undici-types.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { randomNumbersOf, startRecorder } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

const server = await listen(async (request, response) => {
  response.write(`answer to ${request.url}`)
  setTimeout(() => response.end('.'), 2)
})
afterAll(() => server.close())

/** A client that keeps one connection open. */
const { Client } = createRequire(import.meta.url)('undici7') as typeof import('undici7')
const client = new Client(server.url) as unknown as Dispatcher
afterAll(() => (client as unknown as InstanceType<typeof Client>).close())

/** What a handler drew, and whether it did in the run that dispatched, by the method that was called. */
type Drawn = [method: string, random: number, inRun: boolean][]

type CreateHandler = (draw: (method: string) => void, done: () => void, failed: (error: unknown) => void) => DispatchHandler

const generations: Readonly<Record<string, CreateHandler>> = {
  'onRequestStart and its kin': (draw, done, failed) => ({
    onRequestStart: () => draw('onRequestStart'),
    onResponseStart: () => draw('onResponseStart'),
    onResponseData: () => draw('onResponseData'),
    onResponseEnd: () => {
      draw('onResponseEnd')
      done()
    },
    onResponseError: (_controller, error) => failed(error),
  }),
  'onConnect and its kin': (draw, done, failed) => ({
    onConnect: () => draw('onConnect'),
    onHeaders: () => {
      draw('onHeaders')
      return true
    },
    onData: () => {
      draw('onData')
      return true
    },
    onComplete: () => {
      draw('onComplete')
      done()
    },
    onError: failed,
  }),
}

/** An agent that dispatches with a handler which draws a random number each time that it is called. */
function drawWhileAnswered(createHandler: CreateHandler, path: string): Promise<Drawn> {
  const drawn: Drawn = []
  const run = currentRun()?.id
  const { promise, resolve, reject } = Promise.withResolvers<Drawn>()
  const draw = (method: string): void => void drawn.push([method, Math.random(), currentRun()?.id === run])
  const handler = createHandler(draw, () => resolve(drawn), reject)
  client.dispatch({ origin: server.url, path, method: 'GET' }, handler)
  return promise
}

for (const [methods, createHandler] of Object.entries(generations)) {
  it(`calls ${methods} in the run that dispatched, over a connection of another run`, async () => {
    await using recorder = await startRecorder()
    const agent = (path: string): Promise<Drawn> => drawWhileAnswered(createHandler, path)
    const opened = Promise.withResolvers<void>()
    const othersAreDone = Promise.withResolvers<void>()
    const opener = async (path: string): Promise<Drawn> => {
      const drawn = await agent(path)
      opened.resolve()
      await othersAreDone.promise
      return drawn
    }
    const opening = recorder.record(opener, { input: '/opens' })
    await opened.promise
    const others = await Promise.all(['/one', '/other'].map((input) => recorder.record(agent, { input })))
    othersAreDone.resolve()

    for (const { trace, output } of [await opening, ...others]) {
      expect(output.length).toBeGreaterThan(4)
      expect(output.filter(([, , inRun]) => !inRun)).toEqual([])
      expect(randomNumbersOf(trace)).toEqual(output.map(([, random]) => random))
      await expectClean(trace, agent)
    }
  })
}
