import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { expectDeparture, findRepeatedSideEffects } from '../../src/replay/goldens/promotion/expect-departure.ts'
import { toGolden } from '../../src/replay/goldens/promotion/to-golden.ts'
import { promote } from '../../src/goldens/promote.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { external } from '../../src/run/external.ts'
import { tool } from '../../src/run/tool.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { readRecording, writeRecording } from '../support/read-recording.ts'
import { record, recordCancel, recordRefundTwice } from '../support/recordings.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

const store = '.goldenrun/runs'
const promotedAt = '2026-11-21T02:14:06.000Z'

it('writes a golden that is the recorded run under a header that says what is expected', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const recording = await readTrace(await recordCancel(store))

  const { file, trace } = await promote(recording, {
    name: 'cancel-unshipped',
    description: 'An order that has not left yet',
    expectedOutcome: 'It is cancelled',
    promotedAt,
  })

  const golden = await readTrace('cancel-unshipped')
  expect(file).toBe(project.resolve('golden-traces/cancel-unshipped.jsonl'))
  expect(golden.rows).toEqual(trace.rows)
  expect(golden.hash).toBe(recording.hash)
  expect(golden.steps).toEqual(recording.steps)
  expect(golden.header).toEqual({
    ...recording.header,
    redaction: { ...recording.header.redaction, standIns: 1 },
    golden: {
      name: 'cancel-unshipped',
      description: 'An order that has not left yet',
      expectedOutcome: 'It is cancelled',
      expect: { replay: 'same' },
      promotedAt,
      promotedFrom: recording.header.id,
    },
  })
})

it('writes the same bytes for the same recording but for the time', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const recording = await readTrace(await recordRefundTwice(store))
  const first = await promote(recording, { name: 'a/refund', promotedAt })
  const second = await promote(await readTrace(recording.header.id), { name: 'a/refund', promotedAt, force: true })
  const later = await promote(recording, { name: 'a/refund', promotedAt: '2027-01-01T00:00:00.000Z', force: true })

  expect(second.text).toBe(first.text)
  expect(later.text).not.toBe(first.text)
  expect(later.text.replace('2027-01-01T00:00:00.000Z', promotedAt)).toBe(first.text)
})

it('promotes a golden once more from the recording it came from', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const recording = await readTrace(await recordCancel(store))
  const first = await promote(recording, { name: 'cancel', promotedAt })
  const again = await promote(await readTrace('cancel'), { name: 'cancel', promotedAt, force: true })
  expect(again.text).toBe(first.text)
})

it('says what was agreed with providers and tools', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await using provider = await startProvider()
  const toolOf = (name: string, parameters?: object): object => ({ type: 'function', function: { name, parameters } })
  const schema = { type: 'object', properties: { id: { type: 'string' } } }
  const tools = [toolOf('get_order', schema), toolOf('cancel_order', schema), toolOf('end_chat')]
  const ask = (model: string, system: string, offered: readonly object[]): Promise<unknown> => {
    const messages = [
      { role: 'system', content: system },
      { role: 'user', content: 'hi' },
    ]
    const body = JSON.stringify({ model, messages, tools: offered })
    const headers = { 'content-type': 'application/json' }
    return fetch(`${provider.url}/v1/chat/completions`, { method: 'POST', headers, body }).then((response) => response.json())
  }
  const id = await record(store, { input: {} }, async () => {
    await ask('gpt-b', 'You help.', tools)
    await ask('gpt-a', 'You help.', [toolOf('get_order', { type: 'object' })])
    await ask('gpt-b', 'You judge.', [])
  })

  const { trace } = await promote(await readTrace(id), { name: 'models' })

  const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
  const schemaHash = hash('{"properties":{"id":{"type":"string"}},"type":"object"}')
  expect(trace.header.contracts).toEqual({
    models: ['gpt-b', 'gpt-a'],
    systemPrompts: [hash('You help.'), hash('You judge.')],
    tools: { cancel_order: schemaHash, end_chat: hash('null'), get_order: schemaHash },
  })
  expect(Object.keys(trace.header.contracts.tools)).toEqual(['cancel_order', 'end_chat', 'get_order'])
})

it('counts the stand-ins of each rule, each stand-in once', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const secrets = {
    keys: ['sk-ant-api03-a1b2c3d4e5f6g7h8i9j0k1', 'sk-a1b2c3d4e5f6g7h8i9j0k1', 'sk-a1b2c3d4e5f6g7h8i9j0k1'],
    payment: 'sk_live_a1b2c3d4e5f6g7h8',
    cloud: 'AKIAABCDEFGHIJKLMNOP',
    jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJlLW9mLWl0',
    header: 'Bearer a1b2c3d4e5f6g7h8i9j0',
    pem: '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----',
  }
  const id = await record(store, { input: secrets }, (input) => input.keys)

  const { standIns, trace, text } = await promote(await readTrace(id), { name: 'secrets' })

  expect(text).not.toMatch(/a1b2c3d4|MIIEvQ|c2lnbmF0/)
  expect(standIns).toEqual({
    total: 7,
    byRule: { 'private-key': 1, 'provider-key': 2, 'payment-key': 1, 'cloud-key': 1, jwt: 1, 'bearer-token': 1 },
  })
  expect(trace.header.redaction.standIns).toBe(7)
})

it('keeps the notes about what the recorder dropped', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const trace = await readWithNote(project, 'drop', 'chunk 3 of step 1')
  const promoted = await promote(trace, { name: 'dropped' })
  expect(promoted.trace.rows).toContainEqual({ kind: 'note', what: 'drop', where: 'chunk 3 of step 1', at: 1 })
})

it('refuses a name that is taken, and replaces the golden when it is told to', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const recording = await readTrace(await recordCancel(store))
  await promote(recording, { name: 'cancel', description: 'first', promotedAt })

  await expect(promote(recording, { name: 'cancel' })).rejects.toThrow(
    expect.objectContaining({
      code: 'GOLDENRUN_GOLDEN_EXISTS',
      message:
        'There is already a golden trace "cancel": golden-traces/cancel.jsonl. ' +
        'Choose another name, or replace it: --force on the command line, { force: true } in code.',
    }),
  )
  expect((await readTrace('cancel')).header.golden?.description).toBe('first')
  await promote(recording, { name: 'cancel', description: 'second', force: true })
  expect((await readTrace('cancel')).header.golden?.description).toBe('second')
})

it('refuses a run without an end, and takes it when it is told to', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await recordCancel(store)
  const rows = (await readRecording(store, id)).text.trimEnd().split('\n')
  // Without `closed`, `end` and the last `return`, and the line before torn off.
  await writeRecording(store, id, `${rows.slice(0, -3).join('\n')}\n${rows.at(-3)?.slice(0, 10)}`)
  const trace = await readTrace(id)

  await expect(promote(trace, { name: 'cut' })).rejects.toThrow(
    expect.objectContaining({
      code: 'GOLDENRUN_PROMOTE_UNFINISHED',
      trace: id,
      message:
        `Cannot promote ${id}: it did not end: the process died, or the run is still going. In flight: step 2 (cancel_order). Its last line is torn. ` +
        'Promote a run that ended, or promote this one without an expected outcome: --allow-unfinished, { allowUnfinished: true }.',
    }),
  )
  const { trace: golden } = await promote(trace, { name: 'cut', allowUnfinished: true })
  expect(golden.end).toBeUndefined()
  expect((await readTrace('cut')).hash).toBe(trace.hash)
})

it('refuses values that were not kept, by path and reason', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const subscribe = tool('subscribe', {}, async (options: { onEvent: () => void }) => ({ id: 1, stop: options.onEvent }))
  const id = await record(store, { input: {} }, async () => void (await subscribe({ onEvent: () => undefined })))

  const recording = await readTrace(id)
  const notes = recording.rows.flatMap((row) => (row.kind === 'note' ? [row.where] : []))
  expect(notes).toHaveLength(2)
  expect(notes.join()).toMatch(/onEvent: a function.*stop: a function/)
  await expect(promote(recording, { name: 'subscribe' })).rejects.toThrow(
    expect.objectContaining({
      code: 'GOLDENRUN_PROMOTE_UNKEPT_VALUE',
      message:
        `Cannot promote ${id}: it lacks 2 values that could not be recorded: ${notes.join(', ')}. ` +
        'Pass and return plain data there, or pass it to the agent as context, and record the run again.',
    }),
  )
})

it('refuses unrecorded contacts, and takes them when it is told to', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const trace = await readWithNote(project, 'unrecorded-contact', 'db.internal:5432')
  await expect(promote(trace, { name: 'contact' })).rejects.toThrow(
    expect.objectContaining({
      code: 'GOLDENRUN_PROMOTE_UNRECORDED_CONTACT',
      message:
        `Cannot promote ${trace.header.id}: the run made unrecorded contacts: db.internal:5432. ` +
        'Wrap these calls with external() and record the run again, ' +
        'or promote it anyway: --allow-unrecorded-contacts, { allowUnrecordedContacts: true }.',
    }),
  )
  const { trace: golden } = await promote(trace, { name: 'contact', allowUnrecordedContacts: true })
  expect(golden.rows).toContainEqual({ kind: 'note', what: 'unrecorded-contact', where: 'db.internal:5432', at: 1 })
})

it('refuses a name that leads out of golden-traces, and writes nothing', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const recording = await readTrace(await recordCancel(store))
  await expect(promote(recording, { name: '../outside' })).rejects.toThrow(expect.objectContaining({ code: 'GOLDENRUN_GOLDEN_NAME' }))
  await expect(project.read('outside.jsonl')).rejects.toThrow('ENOENT')
})

it('refuses answers that cannot be recorded, and writes nothing', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const recording = await readTrace(await recordRefundTwice(store))
  const departure = { replay: 'departs', at: 3, answers: { find_refund: { next: () => 1 } } } as const
  await expect(promote(recording, { name: 'refund', expect: departure })).rejects.toThrow(
    expect.objectContaining({
      code: 'GOLDENRUN_PROMOTE_UNKEPT_VALUE',
      message:
        `Cannot promote ${recording.header.id}: the values to add cannot be written to a golden: ` +
        '$.next of the answers of the expectation (a function). Use plain data there.',
    }),
  )
  await expect(readTrace('golden-traces/refund.jsonl')).rejects.toThrow(expect.objectContaining({ code: 'GOLDENRUN_TRACE_NOT_FOUND' }))
})

it('expects of an incident that the agent departs where it repeated a side effect', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const recording = await readTrace(await recordRefundTwice(store))

  expect(findRepeatedSideEffects(recording)).toEqual([{ name: 'refund_order', step: 3, first: 2 }])
  expect(expectDeparture(recording)).toEqual({ replay: 'departs', trigger: 2, at: 3 })
  expect(expectDeparture(recording, { at: 3 })).toEqual(expectDeparture(recording))
  const answers = { find_refund: { refunds: [new Date(0)] } }
  const checks = [{ matcher: 'toHaveCalledTool', args: ['find_refund'] }]
  const expectation = expectDeparture(recording, { answers, checks })
  expect(expectation).toEqual({ replay: 'departs', trigger: 2, at: 3, answers, checks })
  expect(expectDeparture(recording, { trigger: 1, allowWrites: ['send_mail'] })).toEqual({
    replay: 'departs',
    trigger: 1,
    at: 3,
    allowWrites: ['send_mail'],
  })

  await promote(recording, { name: 'refund-twice', expect: expectation })
  expect((await readTrace('refund-twice')).header.golden?.expect).toEqual(expectation)
})

it('refuses an incident at a call that repeats nothing, unless a check says what should have happened', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const recording = await readTrace(await recordRefundTwice(store))
  expect(() => expectDeparture(recording, { at: 2 })).toThrow(
    `Cannot promote ${recording.header.id}: step 2 (refund_order) repeats no call since step 1, so an agent that does nothing at all would pass. ` +
      `Say what it should do instead, with a check of the outcome or of a call: --check 'toHaveCalledTool("name")', --check 'toHaveOutcome({ "output": … })'.`,
  )
  const checks = [{ matcher: 'toHaveCalledTool', args: ['refund_order', { amount: 1 }] }]
  // The second refund was made after the trigger too; the wrong one is named by the check.
  expect(expectDeparture(recording, { at: 2, checks })).toEqual({
    replay: 'departs',
    trigger: 1,
    at: 2,
    checks,
    allowWrites: ['refund_order'],
  })
})

it('tells a repeated side effect by its key, whatever its arguments', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const pay = tool('pay', { effect: 'write', idempotencyKey: (args: { key: string; note: string }) => args.key }, (args) => args)
  const other = tool('refund', { effect: 'write', idempotencyKey: (args: { key: string }) => args.key }, (args) => args)
  let calls = 0
  const fresh = tool('fresh', { effect: 'write', idempotencyKey: () => `call ${(calls += 1)}` }, () => 'ok')
  const id = await record(store, { input: {} }, () => {
    pay({ key: 'a', note: 'first' })
    other({ key: 'a' })
    pay({ key: 'a', note: 'again' })
    fresh()
    fresh()
  })
  expect(findRepeatedSideEffects(await readTrace(id))).toEqual([{ name: 'pay', step: 3, first: 1 }])
})

it('tells a repeated side effect by its arguments where it has no key', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const book = tool('book', { effect: 'write' }, (seat: object) => seat)
  const look = tool('look', { effect: 'read' }, (seat: object) => seat)
  const call = external('call', (seat: object) => seat)
  const id = await record(store, { input: {} }, () => {
    for (const seat of [
      { row: 1, seat: 'a' },
      { row: 1, seat: 'b' },
      { seat: 'a', row: 1 },
      { row: 1, seat: 'a' },
    ]) {
      look(seat)
      call(seat)
      book(seat)
    }
  })
  const trace = await readTrace(id)
  expect(trace.steps.map(({ name }) => name).slice(-3)).toEqual(['look', 'call', 'book'])
  expect(findRepeatedSideEffects(trace)).toEqual([
    { name: 'book', step: 9, first: 3 },
    { name: 'book', step: 12, first: 3 },
  ])
})

it('refuses an incident in a run that repeats nothing, and one at a step that it does not have', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const recording = await readTrace(await recordCancel(store))
  const { id } = recording.header
  expect(() => expectDeparture(recording)).toThrow(
    expect.objectContaining({
      code: 'GOLDENRUN_PROMOTE_INCIDENT',
      message:
        `Cannot promote ${id}: it repeats no side effect, so where it went wrong cannot be inferred. ` +
        `Name the step that should not happen again: --incident <step>. To see the steps: npx goldenrun show ${id}`,
    }),
  )
  const message = `Cannot promote ${id}: it has no step 3. Its steps are 1 to 2. To see them: npx goldenrun show ${id}`
  expect(() => expectDeparture(recording, { at: 3 })).toThrow(expect.objectContaining({ message }))
  await expect(promote(recording, { name: 'x', expect: { replay: 'departs', at: 3 } })).rejects.toThrow(
    expect.objectContaining({ message }),
  )
})

it('makes a golden without touching the disk', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const recording = await readTrace(await recordCancel(store))
  const { rows, text } = toGolden(recording, { name: 'x', promotedAt })
  expect(rows[0]).toMatchObject({ kind: 'run', golden: { name: 'x', expect: { replay: 'same' }, promotedAt } })
  expect(text.split('\n')).toHaveLength(rows.length + 1)
  expect(recording.header.golden).toBeUndefined()
})

/** A provider that answers every request in the same words. */
async function startProvider(): Promise<AsyncDisposable & { readonly url: string }> {
  const answer = {
    id: 'c',
    object: 'chat.completion',
    model: 'gpt-b',
    choices: [{ index: 0, message: { role: 'assistant', content: 'ok' } }],
  }
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer))
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

/** A recording that holds a note, before its end. */
async function readWithNote(project: TemporaryDirectory, what: string, where: string): Promise<Trace> {
  const id = await recordCancel(store)
  const rows = (await readRecording(store, id)).text.trimEnd().split('\n')
  const note = JSON.stringify({ kind: 'note', what, where, at: 1 })
  await writeRecording(store, id, `${[...rows.slice(0, -1), note, ...rows.slice(-1)].join('\n')}\n`)
  return readTrace(id)
}
