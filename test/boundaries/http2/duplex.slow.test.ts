import { it } from 'vitest'
import { expectConnectCompared, expectDuplexCompared, duplexes } from './duplex-runs.ts'

const rounds = { times: 3, triesEach: true }

it.each(duplexes)(
  'compares each change of what is sent over %s after the answer has begun, and holds again and again',
  async (...duplex) => {
    await expectDuplexCompared(duplex, rounds)
  },
)

it("compares each change of the messages of a stream of Connect's own protocol, and holds again and again", async () => {
  await expectConnectCompared(rounds)
})
