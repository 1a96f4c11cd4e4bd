import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { recordBeside } from '../support/record-beside.ts'
import { kindsOf, rowsOf } from '../support/record-run.ts'

const open = new Map<string, PromiseWithResolvers<void>>()

const server = await listen(async (request, response) => {
  const path = request.url ?? ''
  switch (path) {
    case '/reset':
      return void request.socket.destroy()
    case '/reset-in-stream':
      response.write('one')
      await sleep(10)
      return void response.destroy()
    case '/hangs':
      return closed(path, response)
    case '/endless':
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: one\n\n')
      return closed(path, response)
    default:
      response.write('first')
      await gate(path).promise
      return void response.end('second')
  }
})
afterAll(() => server.close())

function gate(path: string): PromiseWithResolvers<void> {
  const known = open.get(path) ?? Promise.withResolvers<void>()
  open.set(path, known)
  return known
}

/** Resolves once the client has gone away. */
async function closed(path: string, response: ServerResponse): Promise<void> {
  await once(response, 'close')
  gate(path).resolve()
}

it('passes on the first chunk before the second is sent', async () => {
  const { output } = await recordBeside(async () => {
    const path = `/gated-${open.size}`
    const reader = (await fetch(`${server.url}${path}`)).body?.getReader()
    const first = await reader?.read()
    gate(path).resolve()
    return [first?.value, (await reader?.read())?.value, (await reader?.read())?.done].map((value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString() : value,
    )
  })
  expect(output).toEqual(['first', 'second', true])
})

it('cancels upstream what the agent stops reading', async () => {
  const { trace } = await recordBeside(async () => {
    open.delete('/endless')
    const response = await fetch(`${server.url}/endless`)
    for await (const piece of response.body ?? []) if (piece.length > 0) break
    await gate('/endless').promise
  })
  expect(kindsOf(trace)).toEqual(['call 1', 'head 1', 'chunk 1', 'return 1', 'end', 'closed'])
  expect(rowsOf(trace, 'return')).toMatchObject([{ by: 'agent' }])
})

it('aborts upstream what the agent aborts within the body', async () => {
  const { trace, error } = await recordBeside(async () => {
    open.delete('/endless')
    const stop = new AbortController()
    const reader = (await fetch(`${server.url}/endless`, { signal: stop.signal })).body?.getReader()
    await reader?.read()
    stop.abort()
    await gate('/endless').promise
    await reader?.read()
  })
  expect(error).toMatchObject({ name: 'AbortError', message: 'This operation was aborted' })
  expect(rowsOf(trace, 'return')).toMatchObject([{ step: 1, by: 'agent' }])
})

it('aborts upstream what the agent aborts before the head', async () => {
  const { trace, error } = await recordBeside(async () => {
    open.delete('/hangs')
    await Promise.all([fetch(`${server.url}/hangs`, { signal: AbortSignal.timeout(20) }), gate('/hangs').promise])
  })
  expect(error).toMatchObject({ name: 'TimeoutError', message: 'The operation was aborted due to timeout' })
  expect(rowsOf(trace, 'throw')).toMatchObject([{ step: 1, by: 'agent', error: { name: 'TimeoutError' } }])
})

it('keeps the reason that the agent aborted with', async () => {
  const { trace, error } = await recordBeside(async () => {
    const stop = new AbortController()
    setTimeout(() => stop.abort('had enough'), 5)
    await fetch(`${server.url}/hangs`, { signal: stop.signal }).catch((reason: unknown) => {
      throw new Error(`stopped: ${String(reason)}`)
    })
  })
  expect(error?.message).toBe('stopped: had enough')
  expect(rowsOf(trace, 'throw')).toMatchObject([{ step: 1, by: 'agent', error: { value: 'had enough' } }])
})

it('records a connection that is reset before the head', async () => {
  const { trace, error } = await recordBeside(() => fetch(`${server.url}/reset`))
  expect(error).toMatchObject({ name: 'TypeError', message: 'fetch failed', cause: { name: 'SocketError', code: 'UND_ERR_SOCKET' } })
  const [row] = rowsOf(trace, 'throw')
  expect(row?.error).toMatchObject({ name: 'SocketError', message: 'other side closed', code: 'UND_ERR_SOCKET' })
  expect(row).not.toHaveProperty('by')
})

it('records a connection that is refused', async () => {
  const { trace, error } = await recordBeside(() => fetch('http://127.0.0.1:1/'))
  expect(error).toMatchObject({ message: 'fetch failed', cause: { message: 'bad port' } })
  expect(trace.steps).toEqual([])
  const gone = await listen(async () => undefined)
  await gone.close()
  const { trace: refused, error: refusal } = await recordBeside(() => fetch(gone.url))
  expect(refusal).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } })
  expect(rowsOf(refused, 'throw')).toMatchObject([{ step: 1, error: { code: 'ECONNREFUSED' } }])
})

it('records a connection that is reset within the body', async () => {
  const { trace, error } = await recordBeside(async () => {
    const response = await fetch(`${server.url}/reset-in-stream`)
    return await response.text()
  })
  expect(error).toMatchObject({ name: 'TypeError', message: 'terminated', cause: { name: 'SocketError', message: 'other side closed' } })
  expect(kindsOf(trace)).toEqual(['call 1', 'head 1', 'chunk 1', 'throw 1', 'end', 'closed'])
})

it('records an unread body as far as it arrived', async () => {
  const { trace } = await recordBeside(async () => {
    const { status } = await fetch(`${server.url}/endless`)
    await sleep(5)
    return status
  })
  expect(kindsOf(trace)).toEqual(['call 1', 'head 1', 'chunk 1', 'timer', 'end'])
  expect(trace.steps[0]).not.toHaveProperty('settledAt')
})
