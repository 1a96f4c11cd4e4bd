import { afterAll, it } from 'vitest'
import { expectNotStuck, work, worker } from './own-works.ts'

afterAll(() => worker.terminate())

it.each(Object.entries(work))('does not call an agent stuck that %s, and keeps its order, each time', async (_name, body) => {
  await expectNotStuck(body, 3)
})
