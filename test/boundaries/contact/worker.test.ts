import { once } from 'node:events'
import inspector from 'node:inspector'
import inspectorPromises from 'node:inspector/promises'
import { createServer } from 'node:net'
import workerThreads, { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { refusedContact, tryContact } from './contact-trial.ts'

const code = "const { parentPort, workerData } = require('node:worker_threads'); parentPort.postMessage(workerData)"

// As a program holds them that loaded before the doors were opened.
const Early = Worker
class EarlyOwn extends Worker {}

async function answerOf(worker: Worker): Promise<unknown> {
  const [answer] = await once(worker, 'message')
  await worker.terminate()
  return answer
}

it('meets a worker by its file', async () => {
  await using directory = await createTemporaryDirectory()
  const file = await directory.write('echo.cjs', code)
  expect(await tryContact(() => answerOf(new Worker(file, { workerData: 'hello' })), 'hello')).toBe('worker echo.cjs')
  const url = new URL(`file://${file}`)
  expect(await tryContact(() => answerOf(new Worker(url, { workerData: 'hello' })), 'hello')).toBe('worker echo.cjs')
})

it('meets a worker by its code, and one of a class of its own', async () => {
  const byCode = (): Promise<unknown> => answerOf(new workerThreads.Worker(code, { eval: true, workerData: 'hello' }))
  expect(await tryContact(byCode, 'hello')).toBe('worker eval')
  const agent = async (): Promise<unknown> => {
    class Own extends workerThreads.Worker {
      readonly own = true
    }
    const worker = new Own(code, { eval: true, workerData: 'hello' })
    return [await answerOf(worker), worker.own, worker instanceof Worker, worker instanceof Own]
  }
  expect(await tryContact(agent, ['hello', true, true, true])).toBe('worker eval')
})

it('meets a worker of a class that was taken hold of before', async () => {
  const options = { eval: true, workerData: 'hello' }
  expect(await tryContact(() => answerOf(new Early(code, options)), 'hello')).toBe('worker Worker')
  expect(await tryContact(() => answerOf(new EarlyOwn(code, options)), 'hello')).toBe('worker EarlyOwn')
})

it.runIf('execve' in process)('refuses that another program takes the place of this one', async () => {
  const { trace } = await recordRun(async () => 'done')
  const agent = async (): Promise<string> => {
    process.execve?.(process.execPath, [process.execPath, '-e', ''], {})
    return 'done'
  }
  expect(refusedContact(await replay(trace, agent))).toBe('child process node')
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
    expect(await tryContact(agent, `ws://127.0.0.1:${port}`)).toBe(`inspector 127.0.0.1:${port}`)
  }
  const { trace } = await recordRun(async () => undefined)
  expect(refusedContact(await replay(trace, async () => inspector.open()))).toBe('inspector 127.0.0.1:9229')
  expect(inspector.url()).toBeUndefined()
})
