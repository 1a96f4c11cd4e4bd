import { expect, it } from 'vitest'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun, rowsOf, startRecorder } from '../../support/record-run.ts'
import { expectClean, toGoldenTrace } from '../../support/replay-clean.ts'
import { type Client, watch, type Watched } from './client-events.ts'
import { clients, openGlobal } from './clients.ts'
import { listen, textOf, type Serve } from './listen.ts'

export async function openBefore(open: (url: string) => Client, url: string): Promise<Watched> {
  const watched = watch(open(url))
  await watched.next('open')
  return watched
}

/** Answers a request by its id, in any order. */
export const answerById: Serve = (socket) => {
  let count = 0
  socket.on('message', (data) => {
    const { id, text } = JSON.parse(textOf(data)) as { id: string; text: string }
    const delay = (count++ % 3) * 4
    setTimeout(() => socket.send(JSON.stringify({ id, answer: text.toUpperCase() })), delay)
  })
}

/** Asks over a connection that others use, too, and waits for the answer with its id. */
export function ask({ client }: Watched, id: string, text: string): Promise<string> {
  return new Promise((resolve) => {
    client.addEventListener('message', ({ data }: { data: string }) => {
      const said = JSON.parse(data) as { id: string; answer: string }
      if (said.id === id) resolve(said.answer)
    })
    client.send(JSON.stringify({ id, text }))
  })
}

/** Tests runs that share a connection, with so many replays of each. */
export function testSharing(times: number, tried: typeof clients = clients): void {
  it.each(tried)('gives each of eight runs its own steps of %s that was opened before', async (_name, open) => {
    for (const perMessageDeflate of [false, { threshold: 0 }]) {
      const server = await listen(answerById, { perMessageDeflate })
      const release = installDoors()
      const shared = await openBefore(open, server.url)
      const agent = async (number: number): Promise<string[]> => {
        const long = `question ${number} `.repeat(200)
        const first = ask(shared, `a${number}`, `one ${number}`)
        const second = ask(shared, `b${number}`, long)
        const answers = [await first, await second, await ask(shared, `c${number}`, `three ${number}`)]
        return answers.map((answer) => answer.slice(0, 10))
      }
      await using recorder = await startRecorder()
      const runs = await Promise.all(Array.from({ length: 8 }, (_, number) => recorder.record(agent, { input: number })))
      const name = `websocket ${server.url.slice('ws://'.length)}/`
      const heard = server.heard.length
      for (const [number, { output, trace }] of runs.entries()) {
        expect(output).toEqual([`ONE ${number}`, `QUESTION ${number}`, `THREE ${number}`])
        expect(trace.steps.map((step) => [step.name, (step.input as { id: string }).id])).toEqual(
          ['a', 'b', 'c'].map((letter) => [`${name} send`, `${letter}${number}`]),
        )
        expect(
          rowsOf(trace, 'signal')
            .map(({ value }) => (value as { json: { id: string } }).json.id)
            .toSorted(),
        ).toEqual(['a', 'b', 'c'].map((letter) => `${letter}${number}`))
        expect(rowsOf(trace, 'note')).toEqual([])
        // The server hears nothing of a replay, although the connection is open.
        for (let time = 0; time < times; time += 1) await expectClean(trace, () => agent(number))
      }
      expect(server.heard.length).toBe(heard)
      const [first] = runs
      if (first === undefined) throw new Error('no run')
      const red = await replay(first.trace, () => ask(shared, 'a0', 'another'))
      expect(red.divergences[0]).toMatchObject({ cause: 'input', step: 1 })
      await server.stop()
      release()

      // With the server gone, a replay opens the connection itself.
      const before = server.connections
      const opening = await replay(toGoldenTrace(first.trace), async () => {
        const own = await openBefore(open, server.url)
        const answers = [ask(own, 'a0', 'one 0'), ask(own, 'b0', `question 0 `.repeat(200))]
        return [...(await Promise.all(answers)), await ask(own, 'c0', 'three 0')].map((answer) => answer.slice(0, 10))
      })
      expect([opening.divergences, opening.outcome]).toEqual([[], { status: 'returned', output: first.output }])
      expect(server.connections).toBe(before)
    }
  })

  it('tells what has no id to the runs that use the connection, up to its end', async () => {
    const server = await listen((socket) => {
      socket.on('message', (data) => (textOf(data) === 'end' ? socket.close(4000, 'enough') : socket.send(`said ${textOf(data)}`)))
    })
    const release = installDoors()
    const shared = await openBefore(openGlobal, server.url)
    const used: Watched[] = []
    const agent = async (): Promise<unknown> => {
      const { client, events, next } = used.at(-1) ?? shared
      client.send('one')
      await next('message')
      client.send('end')
      await next('close')
      return events.slice(1)
    }
    const { output, trace } = await recordRun(agent)
    expect(output).toEqual(['said one', ['close', 4000, 'enough', true]])
    for (let time = 0; time < times; time += 1)
      await expectClean(trace, async () => {
        used.push(await openBefore(openGlobal, server.url))
        return await agent()
      })
    release()
    await server.stop()
  })
}
