import { once } from 'node:events'
import inspector from 'node:inspector'
import inspectorPromises from 'node:inspector/promises'
import { createServer } from 'node:net'
import workerThreads, { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { expectRefusal, tryContact } from './contact-trial.ts'

const code = "const { parentPort, workerData } = require('node:worker_threads'); parentPort.postMessage(workerData)"

async function answerOf(worker: Worker): Promise<unknown> {
  const [answer] = await once(worker, 'message')
  await worker.terminate()
  return answer
}

it('meets a worker by its file', async () => {
  await using directory = await createTemporaryDirectory()
  const file = await directory.write('echo.cjs', code)
  await tryContact(() => answerOf(new Worker(file, { workerData: 'hello' })), { contact: 'worker echo.cjs', output: 'hello' })
  const url = new URL(`file://${file}`)
  await tryContact(() => answerOf(new Worker(url, { workerData: 'hello' })), { contact: 'worker echo.cjs', output: 'hello' })
})

it('meets a worker by its code, and one of a class of its own', async () => {
  await tryContact(() => answerOf(new workerThreads.Worker(code, { eval: true, workerData: 'hello' })), { contact: 'worker eval', output: 'hello' })
  const agent = async (): Promise<unknown> => {
    class Own extends workerThreads.Worker {
      readonly own = true
    }
    const worker = new Own(code, { eval: true, workerData: 'hello' })
    return [await answerOf(worker), worker.own, worker instanceof Worker, worker instanceof Own]
  }
  await tryContact(agent, { contact: 'worker eval', output: ['hello', true, true, true] })
})

it('meets the inspector', async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  for (const open of [() => inspector.open(port), () => Reflect.apply(Reflect.get(inspectorPromises, 'open'), inspectorPromises, [port])]) {
    const agent = async (): Promise<string> => {
      open()
      const url = String(inspector.url())
      inspector.close()
      return url.replace(/\/[\w-]*$/, '')
    }
    await tryContact(agent, { contact: `inspector 127.0.0.1:${port}`, output: `ws://127.0.0.1:${port}` })
  }
  const { trace } = await recordRun(async () => undefined)
  expectRefusal(await replay(trace, async () => inspector.open()), 'inspector 127.0.0.1:9229')
  expect(inspector.url()).toBeUndefined()
})
