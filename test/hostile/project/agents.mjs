// Ten agents, each with other doors to the world. An agent catches what goes wrong: what it throws is its outcome.
import { execFile, spawn } from 'node:child_process'
import { get } from 'node:http'
import { checkpoint, external, tool } from 'goldenrun'

const json = { 'content-type': 'application/json' }

const ask = async (base, messages) => {
  const response = await fetch(`${base}/v1/chat/completions`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ model: 'gpt-4.1', messages }),
  })
  return (await response.json()).choices[0].message
}

export async function asks({ base }) {
  const first = await ask(base, [
    { role: 'system', content: 'You are kind' },
    { role: 'user', content: 'hi' },
  ])
  return (await ask(base, [{ role: 'user', content: first.content }])).content
}

export async function streams({ base }) {
  const body = JSON.stringify({ model: 'gpt-4.1', stream: true, messages: [{ role: 'user', content: 'again' }] })
  const response = await fetch(`${base}/v1/chat/completions`, { method: 'POST', headers: json, body })
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body) text += decoder.decode(chunk, { stream: true })
  return { status: response.status, text, type: response.headers.get('content-type') }
}

export async function requests({ base }) {
  const read = (path) =>
    new Promise((resolve, reject) =>
      get(`${base}${path}`, (response) => {
        let text = ''
        response.on('data', (data) => (text += data))
        response.on('end', () => resolve([response.statusCode, response.headers['x-a'] ?? null, response.trailers, text]))
        response.on('error', reject)
      }).on('error', reject),
    )
  return [await read('/missing'), await read('/orders/1'), await read('/status-999')]
}

export async function redirects({ base }) {
  const response = await fetch(`${base}/old`)
  const bytes = await fetch(`${base}/bytes`).then((answer) => answer.arrayBuffer())
  return [response.url.length, response.redirected, response.headers.getSetCookie(), await response.text(), bytes.byteLength]
}

const inner = tool('inner', { effect: 'read' }, async ({ id }) => ({ id, at: new Date(0), map: new Map([['a', 1n]]) }))
const outer = tool('outer', { effect: 'write' }, async ({ id }) => ({
  of: await inner({ id }),
  bytes: new Uint8Array([1, 2, 3]),
  nothing: undefined,
}))
const fails = tool('fails', { effect: 'read' }, async () => {
  throw Object.assign(new RangeError('no such order'), { code: 'E_NONE', status: 404, list: [1, { a: 1 }] })
})

export async function tools() {
  const made = await outer({ id: 'ord_1' })
  const error = await fails({}).catch((reason) => `${reason.name} ${reason.message} ${reason.code} ${reason.status}`)
  return { id: made.of.id, at: made.of.at, size: made.of.map.size, length: made.bytes.length, error }
}

export async function waits() {
  const start = Date.now()
  await new Promise((resolve) => setTimeout(resolve, 3))
  let ticks = 0
  await new Promise((resolve) => {
    const interval = setInterval(() => {
      if ((ticks += 1) < 3) return
      clearInterval(interval)
      resolve()
    }, 2)
  })
  await new Promise((resolve) => setImmediate(resolve))
  return [start, ticks, crypto.randomUUID(), Math.random(), performance.now(), crypto.getRandomValues(new Uint8Array(4))]
}

export async function programs() {
  const run = (code) =>
    new Promise((resolve) =>
      execFile('node', ['-e', code], (error, stdout, stderr) => resolve([error?.code ?? 0, String(stdout), String(stderr)])),
    )
  const child = spawn('node', ['-e', 'process.stdin.pipe(process.stdout)'])
  child.on('error', () => undefined)
  child.stdin.on('error', () => undefined)
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve([code, signal])))
  let text = ''
  child.stdout.on('data', (data) => (text += data))
  child.stdin.end('echo')
  return [await run('console.log(1)'), await run('process.exit(3)'), await ended, text]
}

export async function talks({ base }) {
  const socket = new WebSocket(base.replace('http', 'ws'))
  const heard = []
  return await new Promise((resolve) => {
    socket.addEventListener('open', () => socket.send('hello'))
    socket.addEventListener('message', ({ data }) => {
      heard.push(typeof data === 'string' ? data : 'bytes')
      if (heard.length === 2) socket.close(1000, 'bye')
    })
    socket.addEventListener('error', () => resolve(['failed', ...heard]))
    socket.addEventListener('close', ({ code, reason }) => resolve([...heard, code, reason]))
  })
}

export async function converses({ base }) {
  const messages = [{ role: 'system', content: `You are kind. ${'Be brief. '.repeat(40)}` }]
  for (let turn = 0; turn < 4; turn += 1) {
    messages.push({ role: 'user', content: `question ${turn} ${'and so on '.repeat(30)}` }, await ask(base, [...messages]))
    checkpoint('asked', { messages: structuredClone(messages) })
  }
  return messages.length
}

export async function breaks({ base }) {
  const controller = new AbortController()
  const aborted = fetch(`${base}/slow`, { signal: controller.signal }).catch((error) => error.name)
  setTimeout(() => controller.abort(), 5)
  const refused = await fetch('http://127.0.0.1:9/').catch((error) => String(error.cause?.code))
  const zipped = await fetch(`${base}/gzip`).then((response) => response.text())
  const value = await external('flags', async () => ({ on: true, when: new Date(5) }))()
  throw Object.assign(new TypeError(`${await aborted} ${refused} ${zipped.length} ${value.on}`), { code: 'E_LAST' })
}
