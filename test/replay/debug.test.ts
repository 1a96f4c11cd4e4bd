import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const server = await listen(async (_request, response) => {
  await new Promise((resolve) => setTimeout(resolve, 2))
  response.end('{"status":"packed"}')
})
afterAll(() => server.close())

/** Records a run and replays it twice, as it was and with another order's id; gives what the process wrote to standard error. */
async function logOf(NODE_DEBUG: string): Promise<string> {
  await using directory = await createTemporaryDirectory()
  const store = JSON.stringify(directory.resolve('runs'))
  const source = `
    import { createRecorder, currentRun } from ${JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)}
    import { replay } from ${JSON.stringify(new URL('../../src/replay.ts', import.meta.url).href)}
    let id = 'ord_1'
    let run
    const agent = async () => (run ??= currentRun().id) && await (await fetch('${server.url}/orders', { method: 'POST', body: JSON.stringify({ id, note: 'mail jane.roe@corp.com' }) })).json()
    const recorder = createRecorder({ store: ${store} })
    await recorder.run({ agent: 'support', input: {} }, agent)
    await recorder.close()
    await replay(run, agent, { store: ${store} })
    id = 'ord_2'
    await replay(run, agent, { store: ${store} })`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], { env: { ...process.env, NODE_DEBUG } })
  const [log] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return log
}

it('logs decisions of all areas, and no value', async () => {
  const log = await logOf('goldenrun')
  expect(log).toMatch(/goldenrun:record \d+: run \S+ is kept on /)
  expect(log).toMatch(/goldenrun:record \d+: run \S+: redacted one email/)
  expect(log).toMatch(/goldenrun:record \d+: run \S+: wrote call of step 1 \(http 127\.0\.0\.1:\d+\)/)
  expect(log).toMatch(/goldenrun:match \d+: call 1 \(http 127\.0\.0\.1:\d+\) is step 1: equal input/)
  expect(log).toMatch(/goldenrun:match \d+: call 1 \(http 127\.0\.0\.1:\d+\) equals no recorded input; due: 1; input at body\.id/)
  expect(log).toMatch(/goldenrun:conductor \d+: tick 1 is released: step 1 head/)
  expect(log).not.toContain('jane.roe')
  expect(log).not.toContain('ord_')
})

it('logs one area where one is named, and nothing unasked', async () => {
  const log = await logOf('tls, goldenrun:match')
  expect(log).toContain('goldenrun:match')
  expect(log).not.toMatch(/goldenrun:(record|conductor)/)
  expect(await logOf('')).not.toContain('goldenrun:')
})
