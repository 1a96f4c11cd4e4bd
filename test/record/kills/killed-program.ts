/**
 * Records, into the directory that is its argument, eight runs at a time for as long as it lives. For each side effect that is made, after its call
 * was written, a line on standard output names run and step; so does one for each run that was written to its end: `call <id> <step>`, `end <id>`.
 */
import { writeSync } from 'node:fs'
import { listen } from '../../../examples/world/listen.ts'
import { createRecorder } from '../../../src/record/recorder.ts'
import { currentRun } from '../../../src/run/current-run.ts'
import { tool } from '../../../src/run/tool.ts'

const server = await listen(async (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let piece = 0; piece < 5; piece += 1) {
    response.write(`data: {"piece":${piece},"text":"${'words of it '.repeat(piece)}"}\n\n`)
    await new Promise((resolve) => setImmediate(resolve))
  }
  response.end()
})

const say = (line: string): number => writeSync(1, `${line}\n`)
const pay = tool('pay', { effect: 'write' }, ({ step }: { step: number }) => {
  say(`call ${currentRun()?.id} ${step}`)
  return { paid: step }
})
const look = tool('look', {}, async ({ step }: { step: number }) => ({ step, text: 'x'.repeat(step * 20) }))

/** Makes twelve steps: a stream, a read and a side effect, four times over. */
async function agent(): Promise<string> {
  for (let step = 1; step <= 12; step += 3) {
    await (await fetch(server.url, { method: 'POST', body: JSON.stringify({ step }) })).text()
    await look({ step: step + 1 })
    pay({ step: step + 2 })
  }
  return currentRun()?.id ?? ''
}

const recorder = createRecorder({ store: process.argv[2] ?? 'runs', limits: { sideEffectMilliseconds: 60_000, closeMilliseconds: 60_000 } })
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
