/**
 * Runs six agents at a time, twice, as the arguments say: `none`, or the directory that two recorders record them to, one on its thread and one on the
 * agents' (`both`), or only the first (`thread`). Prints what each agent came to, and what the recorders counted; between the two times it prints `half`
 * and waits for a line.
 */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../../../examples/world/listen.ts'
import { createRecorder } from '../../../src/record/recorder.ts'
import { external } from '../../../src/run/external.ts'
import { tool } from '../../../src/run/tool.ts'

const [store = 'none', which = 'both'] = process.argv.slice(2)

/** Random by its number, so that it does not compress away. */
const textOf = (number: number): string =>
  Array.from({ length: 2_000 }, (_, at) => Math.trunc(Math.abs(Math.sin(number + at)) * 1e6)).join(' ')

const server = await listen(async (request, response) => {
  for (let piece = 0; piece < 3; piece += 1) {
    response.write(`${request.url} ${piece} `)
    await sleep(1)
  }
  response.end('done')
})
const read = external('read', async (number: number) => textOf(number))
const pay = tool('pay', { effect: 'write' }, async (amount: number) => ({ paid: amount }))

async function agent(number: number): Promise<unknown> {
  const text = await read(number)
  const said = await (await fetch(`${server.url}/orders/${number}`)).text()
  if (number % 3 === 2) throw new Error(`no luck with ${number}`)
  return { said, ...(await pay(number)), text: text.length }
}

type Run = (number: number) => Promise<unknown>
const limits = { lateMilliseconds: 0, closeMilliseconds: 1_500 }
const recorders =
  store === 'none' ? [] : [true, false].slice(0, which === 'both' ? 2 : 1).map((thread) => createRecorder({ store, thread, limits }))
const ways: Run[] = recorders.map((recorder) => (number) => recorder.run({ agent: 'agent', input: number }, agent))
if (which === 'both') await recorders[0]?.start()

const runAll = async (numbers: readonly number[]): Promise<void> => {
  for (const run of store === 'none' ? [agent, agent].slice(0, which === 'both' ? 2 : 1) : ways) {
    const results = await Promise.allSettled(numbers.map((number) => run(number)))
    for (const result of results) console.log(JSON.stringify(result.status === 'fulfilled' ? result.value : String(result.reason)))
  }
}
await runAll([0, 1, 2, 3, 4, 5])
for (const recorder of recorders) await recorder.flush()
console.log('half')
await once(process.stdin, 'data')
process.stdin.unref()
await runAll([6, 7, 8, 9, 10, 11])
for (const recorder of recorders) await recorder.close()
for (const recorder of recorders) console.error(`stats ${JSON.stringify(recorder.stats())}`)
await server.close()
process.exitCode = 3
