/**
 * Records ten runs, after five of which the store's server goes as the second argument says, and ends as the third says. Prints the counts, and how
 * long `close` took. Arguments: the store's URL, or `hangs` for a bucket whose server answers no request; the way; the end; `object` for a store
 * that the program makes itself.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Redis } from 'ioredis'
import { createRecorder } from '../../../src/record/recorder.ts'
import { createUrlStore } from '../../../src/stores/store-url.ts'

const [, , place = '', way = '', end = '', made = ''] = process.argv
const closeMilliseconds = 1000

/** A bucket that takes requests and answers none. */
async function startSilentBucket(): Promise<string> {
  const server = createServer(() => undefined).listen(0, '127.0.0.1')
  await new Promise((resolve) => void server.once('listening', resolve))
  server.unref()
  server.on('connection', (socket) => socket.unref())
  return `s3://bucket/prefix?endpoint=http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function goDown(): Promise<void> {
  if (place === 'hangs') return
  const admin = new Redis(place, { retryStrategy: () => null })
  admin.on('error', () => undefined)
  if (way === 'pauses') await admin.call('CLIENT', 'PAUSE', '600000', 'ALL')
  else await admin.call('SHUTDOWN', 'NOSAVE').catch(() => undefined)
  admin.disconnect()
}

const url = place === 'hangs' ? await startSilentBucket() : place
const recorder = createRecorder({
  store: made === 'object' ? createUrlStore(url) : url,
  limits: { closeMilliseconds, lateMilliseconds: 0 },
})
for (let input = 0; input < 10; input += 1) {
  if (input === 5 && place !== 'hangs') await recorder.flush()
  if (input === 5) await goDown()
  await recorder.run({ agent: 'agent', input }, async (number) => number)
}
const before = performance.now()
if (end === 'exits without closing') process.exit(3)
const closed = recorder.close()
if (end === 'exits while it closes') process.exit(3)
await closed
console.log(JSON.stringify({ ...recorder.stats(), closeMilliseconds: Math.round(performance.now() - before) }))
if (end === 'exits') process.exit(3)
process.exitCode = 3
