/**
 * Records, into the directory that is its first argument, eight runs at a time for as long as it lives. What changes something is asked of the world whose
 * address is its second argument, with run and step as JSON. On standard output a line says that there is something to lose, `ready`, and one names each
 * run that was written to its end: `end <id>`.
 */
import { writeSync } from 'node:fs'
import { createRecorder } from '../../../src/record/recorder.ts'
import { currentRun } from '../../../src/run/current-run.ts'
import { tool } from '../../../src/run/tool.ts'

const [store = 'runs', world = ''] = process.argv.slice(2)

const say = (line: string): number => writeSync(1, `${line}\n`)
const ask = async (path: string, step: number): Promise<string> =>
  (await fetch(`${world}${path}`, { method: 'POST', body: JSON.stringify({ run: currentRun()?.id, step }) })).text()
const pay = tool('pay', { effect: 'write' }, async ({ step }: { step: number }) => {
  await ask('/payments', step)
  return { paid: step }
})
const look = tool('look', {}, async ({ step }: { step: number }) => ({ step, text: 'x'.repeat(step * 20) }))

/** Makes twelve steps: a request that is answered in pieces, a read, a side effect and the request that it makes, three times over. */
async function agent(): Promise<string> {
  for (let step = 1; step <= 12; step += 4) {
    await ask('/orders', step)
    await look({ step: step + 1 })
    await pay({ step: step + 2 })
  }
  return currentRun()?.id ?? ''
}

const recorder = createRecorder({ store, limits: { closeMilliseconds: 60_000 } })
await recorder.run({ agent: 'agent', input: 0 }, () => 0)
await recorder.flush()
say('ready')
const forever = async (): Promise<never> => {
  for (;;) {
    const id = await recorder.run({ agent: 'agent', input: 0 }, agent)
    await recorder.flush()
    say(`end ${id}`)
  }
}
await Promise.all(Array.from({ length: 8 }, forever))
