import { readdir } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { digest } from '../../src/replay/traces/digest.ts'
import { toGolden } from '../../src/replay/goldens/promotion/to-golden.ts'
import { recordAgain } from '../../src/replay/goldens/record-again.ts'
import { replay } from '../../src/replay/replay.ts'
import { external } from '../../src/run/external.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun, type RecordRunOptions } from '../support/record-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const promotedAt = '2026-11-22T08:00:00.000Z'

let asked = 0
const ask = external('ask', async () => (asked += 1))

async function recordGolden(agent: () => unknown, options: RecordRunOptions<undefined> = {}): Promise<Trace> {
  const { trace } = await recordRun(agent, { tags: { user: '7' }, ...options })
  const { text } = toGolden(trace, { name: 'ask', expectedOutcome: 'An answer', promotedAt: '2026-11-21T08:00:00.000Z' })
  return decodeTrace(text, 'ask.jsonl', digest)
}

it('runs the agent live, under the header of its golden', async () => {
  const golden = await recordGolden(ask)
  const before = asked
  const again = decodeTrace(await recordAgain(golden, ask, { promotedAt }), 'ask.jsonl', digest)
  expect(asked).toBe(before + 1)
  expect(again.end?.output).toBe(asked)
  expect(again.header).toMatchObject({ agent: 'agent', tags: { user: '7' } })
  expect(again.header.golden).toEqual({ ...golden.header.golden, promotedAt, promotedFrom: again.header.id })
  expect((await replay(again, ask)).divergences).toEqual([])
})

it('keeps the constants of the code that the golden keeps', async () => {
  const mail = external('mail', async ({ to }: { to: string }) => `sent to ${to}`)
  const agent = (): Promise<string> => mail({ to: 'refunds@shop.test' })
  const golden = await recordGolden(agent, { recorder: { redact: { keep: ['refunds@shop.test'] } } })
  const once = decodeTrace(await recordAgain(golden, agent), 'ask.jsonl', digest)
  const again = decodeTrace(await recordAgain(once, agent, { redact: { keep: ['refunds@shop.test'] } }), 'ask.jsonl', digest)
  expect(again.header.redaction.keep).toEqual([{ text: 'refunds@shop.test' }])
  expect(again.steps).toMatchObject([{ input: { to: 'refunds@shop.test' }, output: 'sent to refunds@shop.test' }])
  const other = await replay(again, () => mail({ to: 'mallory@evil.test' }))
  expect(other.divergences).toMatchObject([{ cause: 'input', step: 1 }])
})

it('reads what the agent hands out to its end', async () => {
  const agent = async function* (): AsyncGenerator {
    yield await ask()
    yield await ask()
  }
  const golden = await recordGolden(ask)
  const again = decodeTrace(await recordAgain(golden, agent), 'ask.jsonl', digest)
  expect(again.steps).toHaveLength(2)
  expect(again.end?.output).toMatchObject({ yielded: again.steps.map(({ output }) => output) })
})

it('keeps a golden where the live run fails, and leaves no recording behind', async () => {
  const golden = await recordGolden(ask)
  await using temporary = await createTemporaryDirectory()
  vi.stubEnv('TMPDIR', temporary.path)
  const fails = (): never => {
    throw new RangeError('no key')
  }
  await expect(recordAgain(golden, fails)).rejects.toMatchObject({
    code: 'GOLDENRUN_RECORD_FAILED',
    message: 'The live run of "ask" failed, so its golden is unchanged: RangeError: no key',
  })
  vi.unstubAllEnvs()
  expect(await readdir(temporary.path)).toEqual(['package.json'])
})

it('refuses to record without the rules that a golden was redacted by', async () => {
  const redact = { rules: [{ name: 'customer', path: 'customer.name' }] }
  const golden = await recordGolden(ask, { recorder: { redact } })
  await expect(recordAgain(golden, ask)).rejects.toMatchObject({
    code: 'GOLDENRUN_RECORD_REDACTION',
    message:
      '"ask" was redacted by rules that are not configured now: customer. Its new recording would keep what they redact. Name them under redact in goldenrun.config.ts.',
  })
  await expect(recordAgain(golden, ask, { redact })).resolves.toContain('"customer"')
})
