import { it } from 'vitest'
import { expectDuplexCompared, duplexes } from './duplex-runs.ts'

// Each change, again and again, HTTP/1.1 and Connect's own protocol: duplex.slow.test.ts.
it.each(duplexes.slice(0, 1))('compares what is sent over %s after the answer has begun', async (...duplex) => {
  await expectDuplexCompared(duplex)
})
