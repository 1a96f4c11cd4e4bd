import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { readBody } from '../../examples/world/read-body.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { external } from '../../src/run/external.ts'
import { live } from '../../src/run/live.ts'
import { standInsOf } from '../../src/redaction/trace-stand-ins.ts'
import { tool } from '../../src/run/tool.ts'
import { httpRequest } from '../support/http-request.ts'
import { recordBeside } from '../support/record-beside.ts'
import { recordRun } from '../support/record-run.ts'
import type { HttpOutput } from '../../src/trace/rows.ts'

const secrets = {
  openai: 'sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6',
  anthropic: 'sk-ant-api03-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6',
  google: `AIza${'a1B2c'.repeat(7)}`,
  stripe: 'sk_live_a1B2c3D4e5F6g7H8i9J0',
  aws: 'AKIAIOSFODNN7EXAMPLE',
  github: 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8',
  slack: 'xoxb-123456789012-a1B2c3D4e5F6',
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  bearer: 'Bearer abcdefghijklmnop.qrstuvwxyz-0123456789',
  key: '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQ==\n-----END PRIVATE KEY-----',
} as const
const bearer = secrets.bearer.replace('Bearer ', '')
const needles = [...Object.values(secrets), bearer, JSON.stringify(secrets.key).slice(1, -1), 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC']

function expectNoSecretIn(text: string): void {
  for (const needle of needles) expect(text).not.toContain(needle)
}

const server = await listen(async (request, response) => {
  const body = await readBody(request)
  response.setHeader('content-type', request.headers['content-type'] ?? 'text/plain').setHeader('x-request-id', secrets.github)
  if (request.url?.startsWith('/split') !== true) return void response.end(body)
  // A secret that stands across the border of two chunks, as TCP cuts where it likes.
  for (const at of [0, 1, 2, 3]) {
    response.write(body.subarray((at * body.length) / 4, ((at + 1) * body.length) / 4))
    await sleep(5)
  }
  response.end()
})
afterAll(() => server.close())

it('keeps secrets out of the file, wherever they come up', async () => {
  const text = Object.values(secrets).join(' ')
  const look = tool('look', {}, async (args: unknown) => args)
  const query = external('query', async (..._args: unknown[]) => {
    throw Object.assign(new Error(`refused: ${text}`, { cause: new Error(text) }), { code: 'E', detail: { ...secrets } })
  })
  const write = tool('write', { effect: 'write', idempotencyKey: () => secrets.openai }, () => text)
  const { text: file, output } = await recordRun(
    async (input: unknown) => {
      const echoed = await (await fetch(`${server.url}/echo?key=${secrets.openai}`, { method: 'POST', body: text })).text()
      const headers = { 'content-type': 'application/json', authorization: secrets.bearer, 'x-api-version': secrets.openai }
      const json: unknown = await (
        await fetch(`${server.url}/json`, { method: 'POST', body: JSON.stringify({ [secrets.openai]: secrets }), headers })
      ).json()
      const plain = await httpRequest(`${server.url}/${secrets.stripe}`, {
        method: 'POST',
        body: [text],
        headers: { authorization: secrets.bearer },
      })
      await look({
        nested: [secrets],
        map: new Map([[secrets.openai, secrets.stripe]]),
        error: new Error(text),
        unkept: { [secrets.openai]: () => 1 },
      })
      await query(secrets.openai, secrets).catch(() => undefined)
      await query(secrets.slack).catch(() => Promise.reject(new Error(text)).catch(() => undefined))
      write()
      checkpoint('found', { secrets })
      live(`needs ${secrets.openai}`, () => 1)
      currentRun()?.flag(`leaked ${secrets.openai}`)
      return { input, echoed, json, plain: plain.body.toString(), secrets }
    },
    { input: secrets, tags: { user: secrets.github } },
  )
  expect(output).toMatchObject({ input: secrets, echoed: text, plain: text, secrets })
  expectNoSecretIn(file)
})

it('keeps secrets out of the file where the agent throws them', async () => {
  const { text: file, error } = await recordRun(() => Promise.reject(new Error(`no luck with ${secrets.openai}`)), { fails: true })
  expect(error).toMatchObject({ message: `no luck with ${secrets.openai}` })
  expectNoSecretIn(file)
})

it('keeps a secret out of the file that came in two pieces', async () => {
  const body = JSON.stringify({ secrets: Object.values(secrets) })
  for (const sent of [
    body,
    secrets.openai,
    `data: ${secrets.anthropic}\n\ndata: two\n\n`,
    `${'ä'.repeat(3)}${secrets.openai}${'ö'.repeat(40)}`,
  ]) {
    const fetched = await recordBeside(async () => (await fetch(`${server.url}/split`, { method: 'POST', body: sent })).text())
    expect(fetched.output).toBe(sent)
    expectNoSecretIn(fetched.text)
    expect(standInsOf(fetched.trace).find(JSON.stringify(fetched.trace.steps[0]?.output))).not.toEqual([])
    expectNoSecretIn(JSON.stringify(fetched.trace.steps[0]?.output))
    const asked = await recordBeside(async () =>
      (await httpRequest(`${server.url}/split`, { method: 'POST', body: [sent] })).body.toString(),
    )
    expectNoSecretIn(JSON.stringify(asked.trace.steps[0]?.output))
  }
})

it('gives one secret one stand-in, of its kind and length', async () => {
  const look = tool('look', {}, async (text: string) => text)
  const { trace } = await recordRun(async () => {
    await look(`first ${secrets.openai} then ${secrets.stripe}`)
    await look(`again ${secrets.openai}`)
  })
  const [first, again] = trace.steps
  const [, key] = /first (\S+) then/.exec(String(first?.input)) ?? []
  expect(key).toMatch(/^sk-proj-w/)
  expect(key).toHaveLength(secrets.openai.length)
  expect(again?.input).toBe(`again ${key}`)
  expect(
    standInsOf(trace)
      .find(String(first?.input))
      .map(({ number }) => number),
  ).toEqual([1, 2])
})

it('keeps the headers of an answer, without the secrets in them', async () => {
  const answering = await listen(async (_request, response) => {
    response.writeHead(200, {
      'Content-Type': 'text/plain',
      'set-cookie': 'session=s3cr3t-of-ann; Path=/',
      'x-auth-token': 's3cr3t0of1ann2b3c4',
      'www-authenticate': 'Digest realm="cam", nonce="abc123"',
      'X-Next-Page': '2',
      'x-owner': 'ann@firm.de',
      'cf-ray': '8f1a2b3c4d5e6f70-FRA',
    })
    response.end('ok')
  })
  const { trace, text } = await recordBeside(async () => {
    const fetched = await (await fetch(answering.url)).text()
    return [fetched, (await httpRequest(answering.url, { agent: new http.Agent() })).status]
  })
  await answering.close()
  expect(text).not.toMatch(/s3cr3t|ann@firm|8f1a2b3c/)
  for (const { output } of trace.steps) {
    const { headers, leftOut } = output as HttpOutput
    expect(leftOut).toEqual(['cf-ray'])
    expect(headers?.slice(0, 6)).toEqual([
      ['Content-Type', 'text/plain'],
      ['set-cookie', expect.stringMatching(/^session=\S+; Path=\/$/)],
      ['x-auth-token', expect.stringMatching(/^\S+$/)],
      ['www-authenticate', 'Digest realm="cam", nonce="abc123"'],
      ['X-Next-Page', '2'],
      ['x-owner', expect.stringMatching(/^\w+@\w+\.\w+$/)],
    ])
    expect(headers?.slice(6).map(([name]) => name)).toEqual(expect.arrayContaining(['Date', 'Connection', 'Transfer-Encoding']))
  }
})
