/**
 * Runs agents under load while their store fails. Arguments: how it ends (`closes`, `exits`, or `is killed`, for which it runs on until then), and where
 * the runs go: nothing for no recorder, a directory or a URL, or two URLs for a store with two tiers.
 *
 * On standard output, as JSON lines: what each agent came to, the counters, and `ready` when the first runs are stored. It then waits for a line.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../../examples/world/listen.ts'
import { createTieredStore } from '../../src/fleet/tiered-store.ts'
import type { Recorder } from '../../src/record/recorder-types.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { tool } from '../../src/run/tool.ts'
import { createUrlStore } from '../../src/stores/store-url.ts'

const [end = 'closes', hot, cold] = process.argv.slice(2)

/** Runs at a time, before the fault, and while it lasts. */
const AT_ONCE = 8
const BEFORE = 4
const WHILE = 24

const say = (line: object): number => writeSync(1, `${JSON.stringify(line)}\n`)

const server = await listen(async (request, response) => {
  response.write(`${request.url} `)
  await sleep(1)
  response.end('done')
})
const look = tool('look', { effect: 'read' }, async (number: number) => 'x'.repeat(200 * number))
const pay = tool('pay', { effect: 'write' }, async (amount: number) => ({ paid: amount }))

async function agent(number: number): Promise<unknown> {
  const run = currentRun()?.id
  if (run !== undefined) say({ run, number })
  const said = await (await fetch(`${server.url}/orders/${number}`)).text()
  const { length } = await look(number % 20)
  if (number % 4 === 3) throw new Error(`no luck with ${number}`)
  return { number, said, length, ...(await pay(number)) }
}

const store =
  hot === undefined || cold === undefined ? hot : createTieredStore({ hot: createUrlStore(hot), cold: createUrlStore(cold), after: '1h' })
const closeMilliseconds = Number(process.env['CLOSE_MILLISECONDS'])
const recorder = store === undefined ? undefined : createRecorder({ store, limits: { lateMilliseconds: 0, closeMilliseconds } })

async function runAll(from: number, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => from + index)
  const results = await Promise.allSettled(
    numbers.map((input) => (recorder === undefined ? agent(input) : recorder.run({ agent: 'agent', input }, agent))),
  )
  for (const result of results) say({ result: result.status === 'fulfilled' ? result.value : String(result.reason) })
}

/** Waits for the first runs. A flush is given up after a time that a busy machine may need to load a client. */
async function untilStored({ flush, stats }: Recorder): Promise<void> {
  do await flush()
  while (stats().recorded < BEFORE)
}

await recorder?.start()
await runAll(0, BEFORE)
if (recorder !== undefined) await untilStored(recorder)
say({ counted: recorder?.stats() ?? {} })
say({ ready: true })
await once(process.stdin, 'data')
process.stdin.unref()

const last = end === 'is killed' ? Infinity : BEFORE + WHILE
for (let from = BEFORE; from < last; from += AT_ONCE) {
  await runAll(from, AT_ONCE)
  say({ counted: recorder?.stats() ?? {} })
}
process.exitCode = 3
if (end === 'exits') process.exit()
await recorder?.close()
say({ counted: recorder?.stats() ?? {} })
await server.close()
