import { randomFillSync } from 'node:crypto'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { WebSocket as WsSocket } from 'ws'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { watch } from './client-events.ts'
import { clients, openGlobal, openWs } from './clients.ts'
import { echo, listen, textOf } from './listen.ts'

const secrets = {
  query: 'AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY',
  protocol: 'sk-proj-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4',
  header: 'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
  sent: 'hunter2-and-more',
  said: 'sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz-AbCdEfAA',
  reason: 'AKIAIOSFODNN7EXAMPLE',
}

it('leaves masks out of what a run draws, although the client was loaded after the doors were open', async () => {
  const server = await listen(echo)
  const release = installDoors()
  const require = createRequire(import.meta.url)
  for (const file of Object.keys(require.cache)) if (/[\\/]ws[\\/]/.test(file)) Reflect.deleteProperty(require.cache, file)
  const { WebSocket: Fresh } = require('ws') as typeof import('ws')
  const agent = async (): Promise<number> => {
    const { client, next } = watch(new Fresh(server.url) as never)
    await next('open')
    client.send('x')
    await next('message')
    client.close()
    await next('close')
    return randomFillSync(new Uint8Array(8192)).reduce((sum, byte) => sum + byte, 0)
  }
  const { trace } = await recordRun(agent)
  await server.stop()
  release()
  const draws = rowsOf(trace, 'reads').flatMap(({ bytes }) => bytes?.map(({ length }) => length) ?? [])
  expect(draws).toEqual([16, 8192])
  await expectClean(trace, agent)
})

it.each([true, false])('writes no secret of a WebSocket, opened in the run: %s', async (isOwn) => {
  const server = await listen((socket) => {
    socket.on('message', () => {
      socket.send(JSON.stringify({ token: secrets.said }))
      socket.close(4000, `key ${secrets.reason}`)
    })
  })
  const release = installDoors()
  const open = async () => {
    const url = `${server.url}/live?key=${secrets.query}`
    const socket = new WsSocket(url, ['realtime', `openai-insecure-api-key.${secrets.protocol}`], {
      headers: { authorization: `Bearer ${secrets.header}`, 'openai-beta': 'realtime=v1' },
    })
    const watched = watch(socket as never)
    await watched.next('open')
    return watched
  }
  const before = isOwn ? undefined : await open()
  const agent = async (): Promise<unknown> => {
    const { client, events, next } = before ?? (await open())
    client.send(JSON.stringify({ password: secrets.sent, account: 7 }))
    await next('close')
    return events.length
  }
  const { text, trace } = await recordRun(agent)
  await server.stop()
  release()
  for (const [where, secret] of Object.entries(secrets)) expect([where, text.includes(secret)]).toEqual([where, false])
  expect(text).toContain('"account":7')
  if (isOwn) await expectClean(trace, agent)
})

it('redacts what a model spells in the events of a WebSocket', async () => {
  const answer = `mail jane.doe.private@customermail.com, key ${secrets.header} ok`
  const server = await listen((socket) => {
    socket.on('message', () => {
      for (const [index, delta] of (answer.match(/.{1,6}/g) ?? []).entries()) {
        const ids = { event_id: `event_${index}`, response_id: 'resp_1', item_id: 'item_1', output_index: 0 }
        socket.send(JSON.stringify({ type: 'response.output_text.delta', ...ids, delta }))
      }
      for (const line of ['not an event', `of a ${secrets.said}`]) socket.send(line)
      socket.close()
    })
  })
  const agent = async (): Promise<string> => {
    const { client, events, next } = watch(new WsSocket(server.url) as never)
    await next('open')
    client.send('go')
    await next('close')
    const said = events.filter((data) => typeof data === 'string' && data.startsWith('{')) as string[]
    return said.map((data) => (JSON.parse(data) as { readonly delta: string }).delta).join('')
  }
  const { text, output, trace } = await recordRun(agent)
  await server.stop()
  expect(output).toBe(answer)
  expect(text).not.toMatch(/jane|customer|16C7e4|7710c8|AbCdEf/)
  expect(trace.end?.output).toMatch(/^mail with\.hel\.d\w+@\w+\.alt, key ghp_\w+ ok$/)
  await expectClean(trace, agent)
})

/** A model of OpenAI's realtime API, as far as the events of one turn go. */
function speak(socket: WsSocket): void {
  const say = (event: object): void => socket.send(JSON.stringify({ event_id: `event_${Math.random()}`, ...event }))
  say({ type: 'session.created', session: { id: `sess_${Math.random()}` } })
  socket.on('message', (data) => {
    const { type, item } = JSON.parse(textOf(data)) as { type: string; item?: { call_id?: string } }
    if (type === 'session.update') say({ type: 'session.updated', session: {} })
    if (type === 'conversation.item.create' && item?.call_id !== undefined) say({ type: 'conversation.item.created', item })
    if (type !== 'response.create') return
    const id = `item_${Math.random()}`
    for (const piece of ['AAAA', '////']) say({ type: 'response.output_audio.delta', item_id: id, delta: piece })
    say({
      type: 'response.function_call_arguments.done',
      item_id: id,
      call_id: `call_${Math.random()}`,
      name: 'get_order',
      arguments: '{"order_id":"ord_1"}',
    })
    say({ type: 'response.done', response: { id: `resp_${Math.random()}`, output: [{ id, type: 'function_call', name: 'get_order' }] } })
  })
}

it('records a conversation of the Realtime API by its events, and replays it', async () => {
  const server = await listen(speak)
  let count = 0
  const agent = async (): Promise<unknown> => {
    const { client, events, next } = watch(new WsSocket(`${server.url}/v1/realtime?model=gpt-realtime`) as never)
    // An id that is another one each time.
    const send = (event: object): void => client.send(JSON.stringify({ event_id: `event_${(count += 1)}`, ...event }))
    const until = async (type: string): Promise<Record<string, unknown>> => {
      for (;;) {
        const found = events
          .slice(1)
          .map((text) => JSON.parse(String(text)) as Record<string, unknown>)
          .findLast((event) => event['type'] === type)
        if (found !== undefined) return found
        await next('message')
      }
    }
    await until('session.created')
    send({ type: 'session.update', session: { type: 'realtime', instructions: 'be brief' } })
    await until('session.updated')
    send({ type: 'input_audio_buffer.append', audio: Buffer.from([1, 2, 3, 250]).toString('base64') })
    send({ type: 'response.create' })
    await until('response.done')
    const { call_id: call, arguments: args } = await until('response.function_call_arguments.done')
    send({ type: 'conversation.item.create', item: { type: 'function_call_output', call_id: call, output: '{"status":"sent"}' } })
    await until('conversation.item.created')
    client.close()
    await next('close')
    return [args, events.length]
  }
  const { output, trace } = await recordRun(agent)
  await server.stop()
  expect(output).toEqual(['{"order_id":"ord_1"}', 9])
  const name = `websocket ${server.url.slice('ws://'.length)}/v1/realtime`
  expect(trace.steps.map((step) => [step.name.replace(name, ''), step.input])).toMatchObject([
    ['', { query: { model: 'gpt-realtime' } }],
    [' send', { type: 'session.update', session: { instructions: 'be brief' } }],
    [' send', { type: 'input_audio_buffer.append', audio: new Uint8Array([1, 2, 3, 250]) }],
    [' send', { type: 'response.create' }],
    [' send', { type: 'conversation.item.create', item: { output: '{"status":"sent"}' } }],
    [' close', {}],
  ])
  for (let time = 0; time < 20; time += 1) await expectClean(trace, agent)
})

it('records sound that is sent to the Live API as bytes', async () => {
  const server = await listen((socket) => {
    socket.on('message', (data) =>
      socket.send(textOf(data).includes('setup') ? '{"setupComplete":{}}' : '{"serverContent":{"turnComplete":true}}'),
    )
  })
  const agent = async (): Promise<unknown> => {
    const path = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
    const { client, events, next } = watch(openGlobal(`${server.url}${path}`))
    await next('open')
    client.send(JSON.stringify({ setup: { model: 'models/gemini-live' } }))
    await next('message')
    client.send(JSON.stringify({ realtimeInput: { audio: { data: 'AQID', mimeType: 'audio/pcm;rate=16000' } } }))
    await next('message')
    client.close()
    await next('close')
    return events
  }
  const { trace } = await recordRun(agent)
  await server.stop()
  expect(trace.steps[2]?.input).toEqual({ realtimeInput: { audio: { data: new Uint8Array([1, 2, 3]), mimeType: 'audio/pcm;rate=16000' } } })
  await expectClean(trace, agent)
})

it('compares no key of an account, which is another one in a test', async () => {
  const server = await listen(echo)
  for (const path of [
    '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=',
    '/openai/realtime?deployment=a&api-key=',
  ]) {
    const agent = async (key: string): Promise<void> => {
      const { client, next } = watch(openWs(`${server.url}${path}${key}`))
      await next('open')
      client.close()
      await next('close')
    }
    const { trace } = await recordRun(() => agent(secrets.query))
    await expectClean(trace, () => agent('goldenrun-stand-in'))
  }
  await server.stop()
})

it('keeps no key that the server chose as the protocol, and gives the client the protocol that it offers', async () => {
  const server = await listen(echo, { handleProtocols: ([first]) => first ?? false })
  for (const prefix of ['openai-insecure-api-key.', 'base64url.bearer.authorization.k8s.io.']) {
    const agent = async (key: string): Promise<boolean> => {
      const { client, next } = watch(new WsSocket(server.url, [`${prefix}${key}`, 'realtime']) as never)
      await next('open')
      client.close()
      await next('close')
      return client.protocol.endsWith(key)
    }
    const { trace, text } = await recordRun(() => agent(secrets.protocol))
    expect(text).not.toContain(secrets.protocol)
    expect(trace.end?.output).toBe(true)
    await expectClean(trace, () => agent('goldenrun-stand-in'))
  }
  await server.stop()
})

it('closes a connection with compression right after a message, in the recorded place', async () => {
  const server = await listen(echo, { perMessageDeflate: { threshold: 0 } })
  const agent = async (): Promise<unknown> => {
    const { client, events, next } = watch(openWs(server.url))
    await next('open')
    client.send('a long message '.repeat(500))
    await next('message')
    client.close()
    return events.length
  }
  const { trace } = await recordRun(agent)
  await server.stop()
  for (let time = 0; time < 20; time += 1) await expectClean(trace, agent)
})

it('keeps a path that begins with two slashes', async () => {
  const server = await listen(echo)
  const agent = async (): Promise<unknown> => {
    const { client, events, next } = watch(new WsSocket(`${server.url}//live/talk`) as never)
    await next('open')
    client.send('x')
    await next('message')
    client.close()
    await next('close')
    return events
  }
  const { trace } = await recordRun(agent)
  await server.stop()
  expect(trace.steps[0]?.name).toBe(`websocket ${server.url.slice('ws://'.length)}//live/talk`)
  await expectClean(trace, agent)
})

it('has a ping and a close as steps of the run that makes them, although messages before them are still being compressed', async () => {
  const server = await listen(echo, { perMessageDeflate: { threshold: 0 } })
  const agent = async (): Promise<number> => {
    const socket = new WsSocket(server.url)
    const { next } = watch(socket as never)
    await next('open')
    socket.send('x'.repeat(2 ** 20))
    socket.ping('are you there')
    socket.send('y')
    socket.close(1000, 'done')
    return 1
  }
  const { trace } = await recordRun(agent)
  await server.stop()
  expect(trace.steps.map(({ name, input }) => [name.split(' ')[2], name.endsWith('send') ? String(input).length : input])).toEqual([
    [undefined, {}],
    ['send', 2 ** 20],
    ['ping', 'are you there'],
    ['send', 1],
    ['close', { code: 1000, reason: 'done' }],
  ])
  for (let time = 0; time < 5; time += 1) await expectClean(trace, agent)
})

it.each(clients)('tells long integers in the JSON that is sent by %s apart', async (_name, open) => {
  const server = await listen(echo)
  const agent = (user: string) => async (): Promise<unknown> => {
    const { client, events, next } = watch(open(server.url))
    await next('open')
    client.send(`{ "user": ${user} }`)
    await next('message')
    return events.at(-1)
  }
  const { trace } = await recordRun(agent('9007199254740993'))
  await expectClean(trace, agent('9007199254740993'))
  const { divergences } = await replay(trace, agent('9007199254740992'))
  expect(divergences).toMatchObject([{ cause: 'input', step: 2 }])
  await server.stop()
})

it.each([true, false])('replays a message that is sent in parts, compressed: %s', async (perMessageDeflate) => {
  const server = await listen(echo, { perMessageDeflate })
  const agent = async (): Promise<unknown> => {
    const socket = new WsSocket(server.url)
    const { events, next } = watch(socket as never)
    await next('open')
    for (const [text, fin] of [
      ['ab', false],
      ['', false],
      ['cd', true],
      ['whole', true],
    ] as const)
      socket.send(text, { fin })
    while (events.length < 3) await next('message')
    return events.slice(1)
  }
  const { output, trace } = await recordRun(agent)
  expect(output).toEqual(['abcd', 'whole'])
  expect(trace.steps.slice(1).map(({ input }) => input)).toEqual(['abcd', 'whole'])
  for (let time = 0; time < 5; time += 1) await expectClean(trace, agent)
  await server.stop()
})
