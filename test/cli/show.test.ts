import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { promote } from '../../src/replay/promote.ts'
import { expectDeparture } from '../../src/replay/promotion/incident.ts'
import { readTrace } from '../../src/replay/read-trace.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { tool } from '../../src/run/tool.ts'
import { record, recordCancel, recordRefundTwice } from '../support/recordings.ts'
import { runCommand, runNode, withoutTimes } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const store = '.goldenrun/runs'

it('prints a recording as a transcript', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await recordCancel(store)

  const { status, stdout, stderr } = await runCommand(project.path, ['show', id])

  expect(withoutTimes(stdout)).toMatchInlineSnapshot(`
    "Recording YYYYMMDD-hhmmssmmm-xxxxxxxx, agent support 1.4.0
      started  YYYY-MM-DD hh:mm:ssZ
      ran on   node #, goldenrun #, <zone>, <locale>
      tags     user=42
      input    {"ticket":"Where is ord_1? My key is sk-proj-REDACTED0000000000000001."}

      step        at      took  boundary
         1      # ms      # ms  tool        get_order({"id":"ord_1"}) → {"id":"ord_1","status":"packed"}
                                            checkpoint order-found {"order":{"id":"ord_1","status":"packed"}}
         2      # ms      # ms  tool write  cancel_order({"id":"ord_1"}) → {"id":"ord_1","status":"cancelled"}

    Returned {"reply":"Your order is cancelled."}
    Took # ms.
    "
  `)
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

it('prints errors, repeated side effects and what a golden expects', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const recording = await readTrace(await recordRefundTwice(store))
  const description = 'The payment API timed out after it had acted'
  await promote(recording, {
    name: 'refund-twice',
    description,
    expectedOutcome: 'One refund is booked',
    expect: expectDeparture(recording),
  })

  const { stdout } = await runCommand(project.path, ['show', 'refund-twice'])

  expect(withoutTimes(stdout)).toMatchInlineSnapshot(`
    "Golden trace refund-twice, agent support
      about       The payment API timed out after it had acted
      expected    One refund is booked
      holds when  the agent departs at or before step 3, then toHaveNoRepeatedSideEffects()
      promoted    YYYY-MM-DD hh:mm:ssZ from YYYYMMDD-hhmmssmmm-xxxxxxxx
      started     YYYY-MM-DD hh:mm:ssZ
      ran on      node #, goldenrun #, <zone>, <locale>
      input       {"ticket":"Where is ord_1? My key is sk-proj-REDACTED0000000000000001."}

      step        at      took  boundary
         1      # ms      # ms  tool        get_order({"id":"ord_1"}) → {"id":"ord_1","status":"packed"}
         2      # ms      # ms  tool write  refund_order({"id":"ord_1","amount":4200}) → throws Error: the payment API did …
         3      # ms      # ms  tool write  refund_order({"id":"ord_1","amount":4200}) → {"id":"ord_1","refunded":4200}
                                            repeated side effect: refund_order: step 3 repeats step 2

    Returned {"reply":"Your money is on its way."}
    Took # ms.
    "
  `)
})

it('prints model calls, HTTP calls below their tool, and a run that threw', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await using world = await startWorld()
  const down = await startWorld()
  await down[Symbol.asyncDispose]()
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${world.url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const refund = tool('refund_order', { effect: 'write' }, async (args: { id: string }) => {
    const response = await post('/refunds', args)
    currentRun()?.flag('the refund was refused')
    throw new Error(await response.text(), { cause: Object.assign(new Error('no answer'), { code: 'E_DOWN' }) })
  })
  const id = await record(store, { input: 'refund ord_1' }, async (ticket) => {
    await post('/v1/chat/completions', { model: 'gpt-5', messages: [{ role: 'user', content: ticket }] })
    await fetch(`${world.url}/health`)
    await fetch(down.url).catch(() => undefined)
    await refund({ id: 'ord_1' })
  })

  const { stdout } = await runCommand(project.path, ['show', id])

  expect(withoutTimes(stdout).replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>')).toMatchInlineSnapshot(`
    "Recording YYYYMMDD-hhmmssmmm-xxxxxxxx, agent support
      started  YYYY-MM-DD hh:mm:ssZ
      ran on   node #, goldenrun #, <zone>, <locale>
      input    "refund ord_1"

      step        at      took  boundary
         1      # ms      # ms  model       openai.chat (gpt-5, 1 message) → refund_order({"id":"ord_1"})
         2      # ms      # ms  http        GET http://127.0.0.1:<port>/health → 200
         3      # ms      # ms  http        GET http://127.0.0.1:<port>/ → throws Error: connect ECONNREFUSED 127.0.0.1:<port>
         4      # ms      # ms  tool write  refund_order({"id":"ord_1"}) → throws Error: down for maintenance, caused by Er…
         5      # ms      # ms  http          POST http://127.0.0.1:<port>/refunds {"id":"ord_1… → 503 "down for maintenance"
                                            flagged: the refund was refused

    Threw Error: down for maintenance, caused by Error: no answer (E_DOWN)
    Took # ms, 12 input and 7 output tokens.
    "
  `)
})

it('prints a run whose process was killed, up to the call in flight', async () => {
  await using project = await createTemporaryDirectory()
  const crash = await runNode(project.path, [fileURLToPath(new URL('../support/crashing-agent.ts', import.meta.url)), store])
  expect(crash.status).toBe(-1)

  const { status, stdout } = await runCommand(project.path, ['show', 'latest'])

  expect(withoutTimes(stdout)).toMatchInlineSnapshot(`
    "Recording YYYYMMDD-hhmmssmmm-xxxxxxxx, agent support
      started  YYYY-MM-DD hh:mm:ssZ
      ran on   node #, goldenrun #, <zone>, <locale>
      input    {"ticket":"cancel ord_1"}

      step        at      took  boundary
         1      # ms      # ms  tool        get_order({"id":"ord_1"}) → {"id":"ord_1","status":"packed"}
         2      # ms            tool write  cancel_order({"id":"ord_1"}) → in flight

    Did not end: the process died, or the run still goes on. The last row is from # ms.
    "
  `)
  expect(status).toBe(0)
})

it('cuts long values to a line, and leaves room for what came of a call', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const echo = tool('echo', {}, (text: string) => text)
  await record(store, { input: '' }, () => {
    echo('😀'.repeat(10_000))
    return 'z'.repeat(1_000_000)
  })
  const { stdout } = await runCommand(project.path, ['show', 'latest'])
  const lines = stdout.split('\n')
  expect(lines.filter((line) => line.length > 120)).toEqual([])
  expect(lines.find((line) => line.includes('echo('))).toMatch(/echo\("(😀)+… → "(😀)+…$/u)
})

it('takes the run that started last for latest', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const ids: string[] = []
  for (let count = 0; count < 3; count++) {
    ids.push(await record(store, { input: count }, (input) => input))
    const { stdout } = await runCommand(project.path, ['show', 'latest', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ header: { id: ids.at(-1) } })
  }
})

it('prints one JSON object with --json, values as in the file', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await record(store, { input: { at: new Date(0), big: 1n } }, () => new Map([['a', Number.NaN]]))
  const trace = await readTrace(id)

  const { status, stdout, stderr } = await runCommand(project.path, ['show', id, '--json'])

  const shown = JSON.parse(stdout)
  expect(Object.keys(shown)).toEqual(['status', 'header', 'steps', 'checkpoints', 'notes', 'end', 'hash'])
  expect(shown).toMatchObject({
    status: 'returned',
    header: { id, input: { at: { $: { date: '1970-01-01T00:00:00.000Z' } }, big: { $: { bigint: '1' } } } },
    steps: [],
    checkpoints: [],
    notes: [],
    end: { output: { $: { map: [['a', { $: { number: 'NaN' } }]] } } },
    hash: trace.hash,
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

it('prints the steps, checkpoints and notes of a run as JSON', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const cancel = await readTrace(await recordCancel(store))
  const refund = await readTrace(await recordRefundTwice(store))
  const show = async (id: string): Promise<unknown> => JSON.parse((await runCommand(project.path, ['show', id, '--json'])).stdout)
  expect(await show(cancel.header.id)).toMatchObject({ steps: cancel.steps, checkpoints: cancel.checkpoints, end: cancel.end })
  expect(await show(refund.header.id)).toMatchObject({
    notes: [{ what: 'repeated-side-effect', where: 'refund_order: step 3 repeats step 2' }],
  })
})

/** A model, a payment API that is down, and a health check. */
async function startWorld(): Promise<AsyncDisposable & { readonly url: string }> {
  const toolCall = { id: 'call_1', type: 'function', function: { name: 'refund_order', arguments: '{"id":"ord_1"}' } }
  const message = { role: 'assistant', content: null, tool_calls: [toolCall] }
  const answer = { id: 'c', object: 'chat.completion', model: 'gpt-5', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }
  const usage = { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 }
  const server = createServer((request, response) => {
    request.resume()
    if (request.url === '/v1/chat/completions') {
      response.setHeader('content-type', 'application/json')
      return response.end(JSON.stringify({ ...answer, usage }))
    }
    response.statusCode = request.url === '/health' ? 200 : 503
    return response.end(request.url === '/health' ? undefined : 'down for maintenance')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}
