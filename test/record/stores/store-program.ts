/**
 * Runs eight agents with a store that misbehaves as the argument says, or, for `none`, without a recorder. Prints what each agent came to, and what
 * the recorder counted.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../../../examples/world/listen.ts'
import { createRecorder } from '../../../src/record/recorder.ts'
import { tool } from '../../../src/run/tool.ts'
import type { TraceStore, TraceWriter } from '../../../src/stores/trace-store.ts'
import type { Row } from '../../../src/trace/rows.ts'

const [, , way = 'none'] = process.argv

const server = await listen(async (request, response) => void response.end(`answer to ${request.url}`))
const pay = tool('pay', { effect: 'write' }, async (amount: number) => ({ paid: amount }))

async function agent(number: number): Promise<unknown> {
  const said = await (await fetch(`${server.url}/orders/${number}`)).text()
  await sleep(1)
  if (number % 4 === 3) throw new Error(`no luck with ${number}`)
  return { said, ...(await pay(number)) }
}

const fail = (): never => {
  throw new Error('the store is down')
}
const rejecting = (() => Promise.reject(new Error('the store is down'))) as unknown as () => undefined
const quiet: TraceWriter = { write: () => undefined, flush: () => undefined, close: () => undefined }
const storing = (writer: Partial<TraceWriter>, more: Partial<TraceStore> = {}): TraceStore => ({
  open: () => ({ ...quiet, ...writer }),
  list: async () => [],
  read: async () => undefined,
  ...more,
})

/** Empties what it was given. */
function emptyRow(row: Row): void {
  for (const key of Object.keys(row)) Reflect.deleteProperty(row, key)
}

/** Does in each of its methods what a run would have recorded. */
function askTheWorld(): void {
  void fetch(`${server.url}/rows`, { method: 'POST', body: 'rows' })
    .then((answer) => answer.text())
    .catch(() => undefined)
  setTimeout(() => Math.random(), 1)
  void pay(1_000)
}

/** Of each run: counted over all of them, a run could be spared. */
function failingAtFifth(): TraceWriter {
  let rows = 0
  return { ...quiet, write: () => ((rows += 1) === 5 ? fail() : undefined) }
}

let report: (id: string, error: unknown) => void = () => undefined
const stores: Readonly<Record<string, () => TraceStore>> = {
  'cannot be opened': () => storing({}, { open: fail }),
  'throws in the middle': () => storing({}, { open: failingAtFifth }),
  'throws at the end': () => storing({ close: fail }),
  'gives promises that reject': () => storing({ write: rejecting, flush: rejecting, close: rejecting }, { index: rejecting }),
  'asks the world and calls tools': () => storing({ write: askTheWorld, flush: askTheWorld, close: askTheWorld }),
  'never ends its flush': () => storing({}, { flush: () => new Promise(() => undefined) }),
  'reports each recording as lost later': () =>
    storing(
      {},
      {
        open: ({ id }) => ({ ...quiet, close: () => void setTimeout(() => report(id, new Error('no such bucket')), 5) }),
        reports: (onFailure) => void (report = onFailure),
        flush: () => sleep(20),
      },
    ),
  'empties the rows that it is given': () => storing({ write: emptyRow }),
  'runs agents with its own recorder': () =>
    storing(
      {},
      {
        open: ({ agent: name }) => ({
          ...quiet,
          close: () => (name === 'agent' ? void recorder?.run({ agent: 'store', input: 0 }, () => 0) : undefined),
        }),
      },
    ),
}

/** A store that never ends its flush is waited for at each flush and at the end. */
const closeMilliseconds = way === 'never ends its flush' ? 300 : 1_500
const recorder =
  way === 'none' ? undefined : createRecorder({ store: stores[way]?.() ?? fail(), limits: { lateMilliseconds: 0, closeMilliseconds } })
const results = await Promise.allSettled(
  Array.from({ length: 8 }, (_, number) =>
    recorder === undefined ? agent(number) : recorder.run({ agent: 'agent', input: number }, agent),
  ),
)
for (const result of results) console.log(JSON.stringify(result.status === 'fulfilled' ? result.value : String(result.reason)))
await recorder?.flush()
await recorder?.close()
console.error(`stats ${JSON.stringify(recorder?.stats() ?? {})}`)
await server.close()
process.exitCode = 3
