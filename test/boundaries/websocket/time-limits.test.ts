import { once } from 'node:events'
import { expect, it } from 'vitest'
import { type RawData, WebSocket as WsSocket } from 'ws'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { watch } from './client-events.ts'
import { clients } from './clients.ts'
import { listen, type Serve, textOf } from './listen.ts'

/** Says a text back, but “late” only when the next one has come, and “never” not at all. */
const answerLate: Serve = (socket) => {
  const open: string[] = []
  socket.on('message', (data) => {
    const text = textOf(data)
    if (text !== 'never') open.push(text)
    if (text !== 'late') for (const each of open.splice(0)) socket.send(`answer to ${each}`)
  })
}

it.each(clients)('replays a wait for a message of %s that never comes, and for one that comes too late', async (_name, open) => {
  const server = await listen(answerLate)
  const agent = async (): Promise<unknown> => {
    const { client, events, next } = watch(open(server.url))
    const within = async (message: string, limit: number): Promise<unknown> => {
      const answered = next('message').then(() => events.at(-1))
      client.send(message)
      const { promise: late, resolve } = Promise.withResolvers<string>()
      const timer = setTimeout(resolve, limit, 'too late')
      const answer = await Promise.race([answered, late])
      clearTimeout(timer)
      return answer
    }
    await next('open')
    const answers = [await within('one', 60_000), await within('never', 30), await within('late', 30)]
    const count = events.length
    client.send('two')
    while (events.length < count + 2) await next('message')
    client.close()
    await next('close')
    return [answers, events.slice(1, -1)]
  }
  const { output, trace } = await recordRun(agent)
  expect(output).toEqual([
    ['answer to one', 'too late', 'too late'],
    ['answer to one', 'answer to late', 'answer to two'],
  ])
  await server.stop()
  for (let time = 0; time < 2; time += 1) await expectClean(trace, agent)
})

it('replays a wait that a signal ends', async () => {
  const server = await listen(answerLate)
  const agent = async (): Promise<unknown> => {
    const socket = new WsSocket(server.url)
    await once(socket, 'open')
    socket.send('never')
    const failed = await once(socket, 'message', { signal: AbortSignal.timeout(30) }).catch(({ name, cause }: Error) => [
      name,
      (cause as Error).name,
    ])
    socket.terminate()
    return failed
  }
  const { output, trace } = await recordRun(agent)
  expect(output).toEqual(['AbortError', 'TimeoutError'])
  await server.stop()
  for (let time = 0; time < 2; time += 1) await expectClean(trace, agent)
})

it('is red where a shorter limit would have given up before the message came', async () => {
  const server = await listen((socket) => socket.on('message', () => setTimeout(() => socket.send('answer'), 300)))
  const agent = async (limit: number): Promise<unknown> => {
    const socket = new WsSocket(server.url)
    await once(socket, 'open')
    const answered = once(socket, 'message').then(([data]) => textOf(data as RawData))
    socket.send('question')
    const { promise: late, resolve } = Promise.withResolvers<string>()
    const timer = setTimeout(resolve, limit, 'too late')
    const answer = await Promise.race([answered, late])
    clearTimeout(timer)
    socket.terminate()
    return answer
  }
  const { output, trace } = await recordRun(() => agent(60_000))
  expect(output).toBe('answer')
  await server.stop()
  await expectClean(trace, () => agent(60_000))
  const { divergences, outcome } = await replay(trace, () => agent(5))
  // It cuts the connection before it has the answer.
  const [{ cause, step, name } = {}] = divergences
  expect([cause, step, name]).toEqual(['order', 3, `websocket ${server.url.slice('ws://'.length)}/ terminate`])
  expect(outcome).toMatchObject({ output: 'too late' })
})
