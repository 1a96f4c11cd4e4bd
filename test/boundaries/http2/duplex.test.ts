import { it } from 'vitest'
import { expectConnectCompared, expectDuplexCompared, duplexes } from './duplex-runs.ts'

// Each change, and again and again: duplex.slow.test.ts.
it.each(duplexes)('compares what is sent over %s after the answer has begun', async (...duplex) => {
  await expectDuplexCompared(duplex)
})

it("compares the messages of a stream of Connect's own protocol", async () => {
  await expectConnectCompared()
})
