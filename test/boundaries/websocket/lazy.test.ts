import { expect, it } from 'vitest'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { type Client, watch, type Watched } from './client-events.ts'
import { clients } from './clients.ts'
import { echo, listen } from './listen.ts'

/** A client that is opened by whoever needs it first. */
function lazily(open: () => Client): { get(): Promise<Watched>; forget(): void } {
  let opened: Promise<Watched> | undefined
  const make = async (): Promise<Watched> => {
    const watched = watch(open())
    await watched.next('open')
    return watched
  }
  return {
    get: () => (opened ??= make()),
    forget: () => (opened = undefined),
  }
}

it.each(clients)('replays the run that opened %s lazily and the next one, in any order, whether it is open or not', async (_name, open) => {
  const server = await listen(echo)
  const shared = lazily(() => open(server.url))
  const agent = async (word: string): Promise<unknown> => {
    const { client, events, next } = await shared.get()
    const heard: unknown[] = []
    for (const text of [word, `${word} again`]) {
      const answered = next('message')
      client.send(text)
      await answered
      heard.push(events.at(-1))
    }
    return heard
  }
  const first = await recordRun(() => agent('one'))
  const second = await recordRun(() => agent('two'))
  expect([first.trace.steps.length, second.trace.steps.length]).toEqual([3, 2])
  const holdFirst = (): Promise<unknown> => expectClean(first.trace, () => agent('one'))
  const holdSecond = (): Promise<unknown> => expectClean(second.trace, () => agent('two'))
  // The connection is still the real one, but the server hears nothing.
  const heard = server.heard.length
  await holdFirst()
  await holdSecond()
  expect(server.heard.length).toBe(heard)
  await server.stop()
  for (const order of [
    [holdFirst, holdSecond, holdFirst],
    [holdSecond, holdFirst, holdSecond],
  ]) {
    shared.forget()
    for (const hold of order) await hold()
  }
})
