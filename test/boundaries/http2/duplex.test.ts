import { it } from 'vitest'
import { expectDuplexCompared, duplexes } from './duplex-runs.ts'

// Each change, again and again, and Connect's own protocol: duplex.slow.test.ts.
it.each(duplexes)('compares what is sent over %s after the answer has begun', async (...duplex) => {
  await expectDuplexCompared(duplex)
})
