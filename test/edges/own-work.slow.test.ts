import { afterAll, it } from 'vitest'
import { expectNotStuck, expectWaitedFor, work, worker } from './own-works.ts'

afterAll(() => worker.terminate())

it.each(Object.entries(work))('does not call an agent stuck that %s, and keeps its order, each time', async (_name, body) => {
  await expectNotStuck(body, 3)
})

it.each(Object.entries(work))('waits for all work that goes on at once: %s', async (_name, body) => {
  await expectWaitedFor(body)
})
