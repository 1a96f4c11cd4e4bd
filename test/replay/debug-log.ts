import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { listen } from '../../examples/world/listen.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

/** Records a run and replays it twice, as it was and with another order's id; gives what the process wrote to standard error. */
export async function logOf(NODE_DEBUG: string): Promise<string> {
  const server = await listen(async (_request, response) => {
    await new Promise((resolve) => setTimeout(resolve, 2))
    response.end('{"status":"packed"}')
  })
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
  await server.close()
  return log
}
