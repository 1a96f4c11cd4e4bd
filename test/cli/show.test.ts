import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { promote } from '../../src/goldens/promote.ts'
import { expectDeparture } from '../../src/replay/goldens/promotion/expect-departure.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { tool } from '../../src/run/tool.ts'
import { sampleRun, writeRun } from '../../src/stores/conformance/sample-runs.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { LogWriter } from '../../src/stores/event-log/log-writer.ts'
import { record, recordCancel, recordRefundTwice } from '../support/recordings.ts'
import { runCommand, runNode, withoutTimes } from '../support/run-command.ts'
import { hasTerminal, pager, showAtTerminal } from '../support/show-at-terminal.ts'
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
      input    {"ticket":"Where is ord_1? My key is sk-proj-w9t9h9l9a0a0a0a0a0a0a0a1."}

      step        at      took  boundary
         1      # ms      # ms  tool        get_order({"id":"ord_1"}) → {"id":"ord_1","status":"packed"}
                                            checkpoint order-found {"order":{"id":"ord_1","status":"packed"}}
         2      # ms      # ms  tool write  cancel_order({"id":"ord_1"}) → {"id":"ord_1","status":"cancelled"}

    Returned {"reply":"Your order is cancelled."}
    Took # ms: 2 steps (2 tool), 1 side effect.
    "
  `)
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

it('says why a person flagged a recording', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await recordCancel(store)
  expect((await runCommand(project.path, ['show', id])).stdout).not.toContain('flagged')
  const own = createDirectoryStore(project.resolve(store))
  for (const reason of ['the customer wrote', 'twice']) await own.flag(id, reason)
  expect((await runCommand(project.path, ['show', id])).stdout).toContain('\n  flagged  the customer wrote; twice\n')
  expect(JSON.parse((await runCommand(project.path, ['show', id, '--json'])).stdout)).toMatchObject({
    flags: ['the customer wrote', 'twice'],
  })
})

it('shows a step of a recording without reading what follows it', async () => {
  await using project = await createTemporaryDirectory()
  const own = createDirectoryStore(project.resolve(store))
  const { header, rows } = sampleRun(1)
  writeRun(own, { header, rows })
  const whole = await runCommand(project.path, ['show', header.id, '--steps', '1-1'])
  expect(whole.stdout).toContain('openai.chat')
  for (const run of [header.id, header.id.slice(0, 12), 'latest'])
    expect(await runCommand(project.path, ['show', run, '--step', '1'])).toEqual(whole)
  // What stands behind the first step is damaged: who reads all of it does not get by that.
  const log = project.resolve(store, `${header.id}.runlog`)
  rmSync(log)
  const writer = new LogWriter(log, { keyframeEvery: 1 })
  let settled = 0
  for (const row of [header, ...rows]) {
    writer.write(row)
    writer.flush()
    if (row.kind === 'return' && row.step === 1) settled = statSync(log).size
  }
  writer.close()
  const bytes = readFileSync(log)
  bytes[settled + 30] = (bytes[settled + 30] ?? 0) ^ 0xff
  writeFileSync(log, bytes)
  expect((await runCommand(project.path, ['show', header.id])).stderr).toContain('the log is damaged')
  const first = await runCommand(project.path, ['show', header.id, '--step', '1'])
  expect([first.status, first.stdout]).toEqual([0, whole.stdout])
}, 60_000)

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
      holds when  the agent, after step 2, does not make step 3 again
      promoted    YYYY-MM-DD hh:mm:ssZ from YYYYMMDD-hhmmssmmm-xxxxxxxx
      started     YYYY-MM-DD hh:mm:ssZ
      ran on      node #, goldenrun #, <zone>, <locale>
      input       {"ticket":"Where is ord_1? My key is sk-proj-w9t9h9l9a0a0a0a0a0a0a0a1."}

      step        at      took  boundary
         1      # ms      # ms  tool        get_order({"id":"ord_1"}) → {"id":"ord_1","status":"packed"}
         2      # ms      # ms  tool write  refund_order({"id":"ord_1","amount":4200}) → throws Error: the payment API did …
         3      # ms      # ms  tool write  refund_order({"id":"ord_1","amount":4200}) → {"id":"ord_1","refunded":4200}
                                            repeated side effect: refund_order: step 3 repeats step 2

    Returned {"reply":"Your money is on its way."}
    Took # ms: 3 steps (3 tool), 2 side effects (1 repeated).
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

      step        at      took      tokens  boundary
         1      # ms      # ms        12→7  model       openai.chat (gpt-5, 1 message) → refund_order({"id":"ord_1"})
         2      # ms      # ms              http        GET http://127.0.0.1:<port>/health → 200
         3      # ms      # ms              http        GET http://127.0.0.1:<port>/ → throws Error: connect ECONNREFUSED 12…
         4      # ms      # ms              tool write  refund_order({"id":"ord_1"}) → throws Error: down for maintenance, …
         5      # ms      # ms              http          POST http://127.0.0.1:<port>/refunds {"… → 503 "down for maintenan…
                                                        flagged: the refund was refused

    Threw Error: down for maintenance, caused by Error: no answer (E_DOWN)
    Took # ms: 5 steps (1 model, 3 http, 1 tool), 1 side effect, 12 input and 7 output tokens.
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

    Did not end: the process died, or the run is still going. The last row is from # ms.
    Until then: 2 steps (2 tool), 1 side effect.
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

it('counts back from the latest, with a step alone as with a whole run', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const step = tool('count', {}, async (count: number) => count)
  const ids: string[] = []
  for (const count of [0, 1, 2]) ids.push(await record(store, { input: count }, (input) => step(input)))
  for (const [run, id] of [
    ['latest~0', ids[2]],
    ['latest~1', ids[1]],
    ['latest~2', ids[0]],
  ] as const) {
    const { stdout } = await runCommand(project.path, ['show', run, '--json'])
    expect(JSON.parse(stdout), run).toMatchObject({ header: { id } })
    const alone = await runCommand(project.path, ['show', run, '--step', '1'])
    expect(alone).toEqual(await runCommand(project.path, ['show', String(id), '--step', '1']))
    expect(alone.status).toBe(0)
  }
  const beyond = await runCommand(project.path, ['show', 'latest~3'])
  expect(beyond).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'There are only 3 recordings in .goldenrun/runs. ' +
      'Record a run of your agent with createRecorder, or pass the directory of its recordings: --store <dir>\n',
  })
  expect((await runCommand(project.path, ['show', 'latest~x'])).status).toBe(2)
})

it('prints one JSON object with --json, values as in the file', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await record(store, { input: { at: new Date(0), big: 1n } }, () => new Map([['a', Number.NaN]]))
  const trace = await readTrace(id)

  const { status, stdout, stderr } = await runCommand(project.path, ['show', id, '--json'])

  const shown = JSON.parse(stdout)
  expect(Object.keys(shown)).toEqual(['status', 'header', 'steps', 'checkpoints', 'flags', 'notes', 'end', 'muted', 'hash'])
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

it('folds the middle of a long run, but for what threw and what was noted, and unfolds it', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const step = tool('step', { effect: 'write' }, (index: number) => {
    if (index === 50) throw new RangeError('too far')
    if (index === 70) currentRun()?.flag('seventy')
    return { index, text: 'long '.repeat(40) }
  })
  const look = tool('look', {}, (index: number) => index)
  await record(store, { input: 0 }, () => {
    for (let index = 1; index <= 100; index++) {
      try {
        if (index % 2 === 0) step(index)
        else look(index)
      } catch {
        // The agent goes on.
      }
    }
  })
  const { stdout } = await runCommand(project.path, ['show', 'latest'])
  const lines = withoutTimes(stdout).split('\n')
  const folded = lines.slice(lines.findIndex((line) => line.includes('…  ')) - 1)
  expect(folded.slice(0, 8)).toMatchInlineSnapshot(`
    [
      "    20      # ms      # ms  tool write  step(20) → {"index":20,"text":"long long long long long long long long long lon…",
      "     …                                  29 steps (29 tool), 14 side effects: --steps 21-49",
      "    50      # ms      # ms  tool write  step(50) → throws RangeError: too far",
      "     …                                  20 steps (20 tool), 10 side effects: --steps 51-70",
      "                                        flagged: seventy",
      "     …                                  10 steps (10 tool), 5 side effects: --steps 71-80",
      "    81      # ms      # ms  tool        look(81) → 81",
      "    82      # ms      # ms  tool write  step(82) → {"index":82,"text":"long long long long long long long long long lon…",
    ]
  `)
  expect(lines.filter((line) => /^ +\d+ /.test(line))).toHaveLength(41)
  expect(stdout).toContain('100 steps (100 tool), 50 side effects.')

  const range = await runCommand(project.path, ['show', 'latest', '--steps', '49-50'])
  expect(withoutTimes(range.stdout)).toMatchInlineSnapshot(`
    "  step        at      took  boundary
        49      # ms      # ms  tool        look(49) → 49
            given       49
            gave        49

        50      # ms      # ms  tool write  step(50) → throws RangeError: too far
            given       50
            threw       RangeError: too far
    "
  `)
  const full = await runCommand(project.path, ['show', 'latest', '--full'])
  expect(full.stdout.match(/^ {8}given {7}/gm)).toHaveLength(100)
  expect(full.stdout).toContain(`"text": "${'long '.repeat(40)}"`)
  const json = await runCommand(project.path, ['show', 'latest', '--step', '50', '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({ steps: [{ step: 50, error: { name: 'RangeError' } }] })
}, 120_000)

it('tells a model call whole: what it was sent, and what was answered', async () => {
  const { status, stdout } = await runCommand('.', ['show', 'cancel-unshipped-support-openai', '--step', '4'])
  expect(withoutTimes(stdout)).toMatchInlineSnapshot(`
    "  step        at      took      tokens  boundary
         4      # ms      # ms       713→9  model       openai.chat (gpt-4.1-mini, 3 messages) → cancel_order({"order_id":"…
            model       gpt-4.1-mini
            sampling    {"temperature":0,"stream_options":{"include_usage":true}}
            system      You are the support agent of Lumen, an online shop for home offices. You answer tickets that customers send by e-mail.

                        Rules:
                        - Look up the order with get_order before you do anything else. Never act on an order that you have not looked up.
                        - An order that is packed but not shipped can be cancelled with cancel_order. The customer is not charged.
                        - An order that was shipped but did not arrive, or arrived broken, is refunded in full with refund_order. Never refund more than was charged.
                        - An order is refunded once. Use find_refund if the customer says that a refund is already on its way.
                        - Amounts are in cents. In your answer, write them the way a customer reads them: $49.00.
                        - Money is back on the card within five working days.
                        - If you cannot help, say so and offer to pass the ticket on to a person.

                        Answer in two or three friendly sentences, without headings or lists. Do not promise anything that you have not done.
            tools       get_order, cancel_order, refund_order, find_refund
            user        Please cancel ord_1002, I ordered the chair in the wrong colour.
            assistant   Let me look at that order.
            assistant   get_order({"order_id":"ord_1002"})
            tool        {"id":"ord_1002","status":"packed","item":"Office chair","amount":18900,"currency":"usd"}
            asks for    cancel_order({"order_id":"ord_1002"})
    "
  `)
  expect(status).toBe(0)
  const { stdout: two } = await runCommand('.', ['show', 'cancel-unshipped-support-openai', '--steps', '1-4'])
  expect(two).toContain('(1 message as in the previous model call)')
})

it.each([
  [['--step', '9'], 'There is no step 9 in "cancel-unshipped-support-openai": it has 7 steps.\n'],
  [['--step', '0'], "error: option '--step <n>' argument '0' is invalid. It has to be a step number, as `goldenrun show` prints it."],
  [['--steps', '5-3'], "error: option '--steps <a-b>' argument '5-3' is invalid. It has to be two steps, the earlier first: 3-12."],
  [['--step', '1', '--full'], "error: option '--full' cannot be used with option '--step <n>'"],
])('refuses %j', async (args, message) => {
  const { status, stdout, stderr } = await runCommand('.', ['show', 'cancel-unshipped-support-openai', ...args])
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toContain(message)
})

it.runIf(hasTerminal)(
  'pages what is longer than the screen, in colour, and only at a terminal',
  async () => {
    await using project = await createTemporaryDirectory()
    // Where it does not page: show.slow.test.ts.
    expect(await showAtTerminal(project, 10, '', pager)).toMatch(/^PAGED: \d+ lines\r\n$/)
    expect(await showAtTerminal(project, 100, '', pager)).toContain('\u001B[1mGolden trace')
  },
  120_000,
)

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
