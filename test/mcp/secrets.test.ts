import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { recordRun } from '../support/record-run.ts'
import { createRandom } from '../support/random.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { clientInfo, clientOptions } from './use-client.ts'

const SEED = process.env['GOLDENRUN_SEED'] ?? String(Date.now())
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Keys as providers give them. */
function makeSecrets(count: number, random: () => number): string[] {
  const text = (length: number): string => Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('')
  const forms = [
    () => `sk-proj-${text(48)}`,
    () => `ghp_${text(36)}`,
    () => `sk-ant-api03-${text(60)}`,
    () => `AKIA${text(16).toUpperCase()}`,
    () => `xoxb-${text(11)}-${text(24)}`,
  ]
  return Array.from({ length: count }, (_, number) => forms[number % forms.length]?.() ?? '')
}

/** Prints what it is given, each piece in a write of its own, and what it reads; a piece is half a secret. */
const printer = `
const halves = process.argv.slice(1).flatMap((text) => [text.slice(0, 9), text.slice(9) + '\\n'])
const next = () => { const half = halves.shift(); if (half === undefined) return process.stdin.pipe(process.stderr); process.stdout.write(half, () => setTimeout(next, 1)) }
next()`

it(`writes none of a hundred secrets of processes and of MCP, and replays the run (GOLDENRUN_SEED=${SEED})`, async () => {
  const secrets = makeSecrets(100, createRandom(SEED).next)
  const part = (number: number): string[] => secrets.filter((_secret, at) => at % 8 === number)
  const [args, env, input, lines] = [part(0), part(1), part(2), part(3)]
  const [results, errors, logs, fields] = [part(4), part(5), part(6), part(7)]
  await using directory = await createTemporaryDirectory()
  const server = await directory.write(
    'server.mjs',
    `process.stdin.on('data', (piece) => {
      for (const line of String(piece).trim().split('\\n')) {
        const { id, method, params } = JSON.parse(line)
        const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
        if (method === 'initialize') say({ id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {}, logging: {} }, serverInfo: { name: 'vault', version: '1' } } })
        if (method !== 'tools/call') continue
        say({ method: 'notifications/message', params: { level: 'info', data: ${JSON.stringify(logs)} } })
        if (params.name === 'fail') say({ id, error: { code: -32000, message: ${JSON.stringify(errors.join(' '))}, data: ${JSON.stringify(errors)} } })
        else say({ id, result: { content: [{ type: 'text', text: ${JSON.stringify(results.join('\\n'))} }] } })
      }
    })`,
  )
  const agent = async (): Promise<unknown> => {
    const child = spawn(process.execPath, ['-e', printer, '--', ...args], {
      env: { ...process.env, ...Object.fromEntries(env.map((secret, number) => [`VALUE_${number}`, secret])) },
    })
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (printed += String(piece)))
    child.stdin.write(`${input.join('\n')}\n`)
    for (const line of lines) child.stdin.write(`${JSON.stringify({ type: 'user', line })}\n`)
    child.stdin.end()
    await once(child, 'close')
    const client = new Client(clientInfo, clientOptions)
    const heard: unknown[] = []
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params.data))
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [server] }))
    const password = Object.fromEntries(fields.map((secret, number) => [`field${number}`, secret]))
    const found = await client.callTool({ name: 'look_up', arguments: password })
    const failed = await client.callTool({ name: 'fail', arguments: {} }).catch((error: unknown) => String(error))
    await client.close()
    return [printed.length, JSON.stringify(found).length, JSON.stringify(failed).length, heard.length]
  }
  const { trace, text, output } = await recordRun(agent)
  const found = secrets.filter((secret) => text.includes(secret) || text.includes(secret.slice(12)))
  expect(found).toEqual([])
  expect(output).toEqual([expect.any(Number), expect.any(Number), expect.any(Number), 2])
  const run = await replay(trace, agent)
  expect(run.divergences).toEqual([])
})
