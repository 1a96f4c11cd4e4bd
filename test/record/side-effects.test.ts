import { expect, it } from 'vitest'
import { createRecorder } from '../../src/record/recorder.ts'
import { digest } from '../../src/replay/digest.ts'
import { tool } from '../../src/run/tool.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import { readRecording } from '../support/read-recording.ts'
import { recordRun, rowsOf } from '../support/record-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

interface Refund {
  readonly order: string
  readonly amount: number | bigint
}

const refund = tool('refund', { effect: 'write' }, async ({ amount }: Refund) => ({ refunded: String(amount) }))
const refundByKey = tool('refund', { effect: 'write', idempotencyKey: ({ order }) => order }, async ({ amount }: Refund) => ({
  refunded: String(amount),
}))
const look = tool('look', { effect: 'read' }, async (order: string) => order)
const unsaid = tool('unsaid', {}, async (order: string) => order)

const notes = (trace: Parameters<typeof rowsOf>[0]): string[] => rowsOf(trace, 'note').map(({ what, where }) => `${what} ${where}`)

it('flags a side effect that is made again with the same arguments', async () => {
  const { trace, stats } = await recordRun(async () => {
    await refund({ order: 'ord_1', amount: 5 })
    await look('ord_1')
    await refund({ order: 'ord_1', amount: 5 })
  })
  expect(notes(trace)).toEqual(['repeated-side-effect refund: step 3 repeats step 1'])
  expect(stats).toEqual({ recorded: 1, active: 0, failed: 0, flagged: 1, sampledOut: 0, cut: 0, waitingBytes: 0 })
})

it('flags a side effect that is made again whatever the order of the fields', async () => {
  const { trace } = await recordRun(async () => {
    await refund({ order: 'ord_1', amount: 5 })
    await refund({ amount: 5, order: 'ord_1' })
  })
  expect(notes(trace)).toEqual(['repeated-side-effect refund: step 2 repeats step 1'])
})

it('goes by the idempotency key where there is one', async () => {
  const { trace } = await recordRun(async () => {
    await refundByKey({ order: 'ord_1', amount: 5 })
    await refundByKey({ order: 'ord_1', amount: 6 })
    await refundByKey({ order: 'ord_2', amount: 5 })
  })
  expect(notes(trace)).toEqual(['repeated-side-effect refund: step 2 repeats step 1'])
  expect(trace.steps.map(({ effect, idempotencyKey }) => [effect, idempotencyKey])).toEqual([
    ['write', 'ord_1'],
    ['write', 'ord_1'],
    ['write', 'ord_2'],
  ])
})

it('flags no other arguments, no other tool, no read and nothing unsaid', async () => {
  const { trace, stats } = await recordRun(async () => {
    await refund({ order: 'ord_1', amount: 5 })
    await refund({ order: 'ord_1', amount: 6 })
    await Promise.all([look('ord_1'), look('ord_1'), unsaid('ord_1'), unsaid('ord_1')])
  })
  expect([notes(trace), stats.flagged]).toEqual([[], 0])
})

it('compares arguments that JSON has no word for', async () => {
  const { trace, stats } = await recordRun(async () => {
    await refund({ order: 'ord_1', amount: 5n })
    await refund({ order: 'ord_1', amount: 5n })
    await refund({ order: 'ord_1', amount: 6n })
  })
  expect([notes(trace), stats.failed]).toEqual([['repeated-side-effect refund: step 2 repeats step 1'], 0])
})

it('counts each time anew', async () => {
  const { trace } = await recordRun(async () => {
    for (let time = 0; time < 3; time += 1) await refund({ order: 'ord_1', amount: 5 })
  })
  expect(notes(trace)).toEqual(['repeated-side-effect refund: step 2 repeats step 1', 'repeated-side-effect refund: step 3 repeats step 1'])
})

it('has the call of a write in the file before the outcome, with all that came before', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('runs') })
  const read = async (): Promise<string[]> => {
    const { text, file } = await readRecording(directory.resolve('runs'))
    return decodeTrace(text, file, digest).rows.map((row) => ('step' in row ? `${row.kind} ${row.step}` : row.kind))
  }
  const seen = tool('seen', { effect: 'write' }, () => read())
  const during = await recorder.run({ agent: 'agent', input: 1 }, async () => {
    await look('ord_1')
    return seen()
  })
  await recorder.close()
  expect(during).toEqual(['run', 'call 1', 'return 1', 'call 2'])
  expect(await read()).toEqual(['run', 'call 1', 'return 1', 'call 2', 'return 2', 'end'])
})

it('has what happened in the file within a moment, the process may die any time', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('runs') })
  const rows = await recorder.run({ agent: 'agent', input: 1 }, async () => {
    await look('ord_1')
    await new Promise((resolve) => setTimeout(resolve, 60))
    const { text, file } = await readRecording(directory.resolve('runs'))
    return decodeTrace(text, file, digest).steps.length
  })
  await recorder.close()
  expect(rows).toBe(1)
})
