import { expect, it } from 'vitest'
import { toGolden } from '../../src/replay/goldens/promotion/to-golden.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import { prepareRebase, type Rebase } from '../../src/replay/goldens/rebase.ts'
import { replay } from '../../src/replay/replay.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { external } from '../../src/run/external.ts'
import { tool } from '../../src/run/tool.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { recordRun } from '../support/record-run.ts'

const rebasedAt = '2026-11-22T08:00:00.000Z'

/** What differs from one version of the agent to another. */
interface Version {
  readonly words?: string
  readonly states?: readonly string[]
  readonly amount?: number
  readonly ending?: () => unknown
  readonly calls?: number
}

const ask = external('ask', async ({ prompt, history }: { prompt: string; history: object[] }) => `${history.length} ${prompt.length}`)
const refund = tool(
  'refund',
  { effect: 'write', idempotencyKey: ({ amount }) => `of ${amount}` },
  async ({ amount }: { amount: number }) => amount,
)

function version({ words = 'Be friendly.', states = ['asked', 'refunded'], amount = 5, ending = () => 'done', calls = 2 }: Version = {}) {
  return async (): Promise<unknown> => {
    const history: object[] = []
    const prompt = `${words} ${'You are the support agent of Lumen, an online shop for home offices. '.repeat(8)}`
    for (let call = 0; call < calls; call += 1) history.push({ answer: await ask({ prompt, history: [...history] }) })
    if (states[0] !== undefined) checkpoint('found', { state: states[0] })
    await refund({ amount })
    for (const state of states.slice(1)) checkpoint('done', { state })
    return ending()
  }
}

async function recordGolden(recordedVersion?: Version): Promise<{ readonly trace: Trace; readonly text: string }> {
  const recorded = await recordRun(version(recordedVersion))
  const { text } = toGolden(recorded.trace, { name: 'refund', description: 'A refund', promotedAt: '2026-11-21T08:00:00.000Z' })
  return { text, trace: decodeTrace(text, 'refund.jsonl', digest) }
}

/** The lines that are not in both. */
function changedLines(before: string, after: string): { readonly out: string[]; readonly in: string[] } {
  const [old, now] = [before.split('\n'), after.split('\n')]
  return { out: old.filter((line) => !now.includes(line)), in: now.filter((line) => !old.includes(line)) }
}

function textOf(rebase: Rebase): string {
  expect(rebase).toMatchObject({ status: 'rebased' })
  return rebase.status === 'rebased' ? rebase.text : ''
}

it('takes a changed input over in the lines that hold it, wherever the run has it', async () => {
  const { trace, text } = await recordGolden()
  const changed = version({ words: 'Be formal.' })
  const rebase = await prepareRebase(trace, changed, { rebasedAt })
  const { out, in: into } = changedLines(text, textOf(rebase))
  // The header; the prompt with the empty history it stands in first; the prompt alone.
  expect([out.length, into.length]).toEqual([3, 3])
  const header = JSON.parse(into[0] ?? '') as { golden: object }
  expect(header.golden).toEqual({ ...trace.header.golden, rebasedAt })
  expect(into[1]).toContain('Be formal.')
  expect(rebase).toMatchObject({ changes: [{ of: 'input of ask', path: 'args.prompt' }] })
  const again = await replay(decodeTrace(textOf(rebase), 'refund.jsonl', digest), changed)
  expect(again.divergences).toEqual([])
  expect(again.hash).toBe(again.trace.hash)
})

it('leaves a golden alone that holds', async () => {
  const { trace } = await recordGolden()
  expect(await prepareRebase(trace, version())).toEqual({ status: 'held' })
})

it.each<[what: string, changed: Version, changes: readonly object[]]>([
  ['an argument, with its idempotency key', { amount: 6 }, [{ of: 'input of refund', path: 'args.amount', expected: '5', received: '6' }]],
  ['an output', { ending: () => 'over' }, [{ of: 'outcome', path: 'output', expected: '"done"', received: '"over"' }]],
  ['an output of nothing', { ending: () => undefined }, [{ of: 'outcome', path: 'output', expected: '"done"', received: 'undefined' }]],
  [
    'an error in the place of an output',
    {
      ending: () => {
        throw new RangeError('too far')
      },
    },
    [
      { of: 'outcome', path: 'output', expected: '"done"', received: undefined },
      { of: 'outcome', path: 'error', expected: undefined, received: '{"name":"RangeError","message":"too far"}' },
    ],
  ],
  [
    'the state of a checkpoint',
    { states: ['read', 'refunded'] },
    [{ of: 'checkpoint "found"', path: 'state.state', expected: '"asked"', received: '"read"' }],
  ],
  [
    'a checkpoint more',
    { states: ['asked', 'refunded', 'told'] },
    [{ of: 'checkpoint "done"', path: '', expected: undefined, received: '{"state":"told"}' }],
  ],
  [
    'a checkpoint less',
    { states: ['asked'] },
    [{ of: 'checkpoint "done"', path: '', expected: '{"state":"refunded"}', received: undefined }],
  ],
])('takes over %s', async (_, changed, changes) => {
  const { trace } = await recordGolden()
  const agent = version(changed)
  const rebase = await prepareRebase(trace, agent, { rebasedAt })
  expect(rebase).toMatchObject({ status: 'rebased', changes })
  const rebased = decodeTrace(textOf(rebase), 'refund.jsonl', digest)
  const run = await replay(rebased, agent)
  expect(run.divergences).toEqual([])
  expect(run.checkpoints.map(({ name, state }) => [name, state])).toEqual(rebased.checkpoints.map(({ name, state }) => [name, state]))
  expect(rebased.steps.map(({ output, at }) => [output, at])).toEqual(trace.steps.map(({ output, at }) => [output, at]))
  expect(rebased.steps.at(-1)?.idempotencyKey).toBe(`of ${changed.amount ?? 5}`)
})

it.each<[what: string, agent: () => Promise<unknown>, reason: string]>([
  ['a call more', version({ calls: 3 }), 'the call after step 2 (unexpected call) needs answers that were not recorded'],
  ['a call less', version({ calls: 1 }), 'step 2 (missing call) needs answers that were not recorded'],
])('refuses %s', async (_, agent, reason) => {
  const { trace } = await recordGolden()
  expect(await prepareRebase(trace, agent)).toEqual({ status: 'refused', reason })
})

it.each<[what: string, recorded: Version, changed: Version, reason: string]>([
  ['a run that never ends', {}, { ending: () => new Promise(() => undefined) }, 'the outcome never ends'],
  [
    'the date on which a module was loaded',
    { words: 'Today is 2026-01-31.' },
    { words: `Today is ${new Date().toISOString().slice(0, 10)}.` },
    'step 1 (input: environment) depends on the current date',
  ],
])('refuses %s, and knows that no new recording helps', async (_, recorded, changed, reason) => {
  const { trace } = await recordGolden(recorded)
  expect(await prepareRebase(trace, version(changed))).toEqual({ status: 'refused', reason, isLasting: true })
})

it('refuses what would differ again the next time', async () => {
  const { trace } = await recordGolden()
  let words = 0
  const agent = (): Promise<unknown> => version({ words: `Be friendly, for the ${(words += 1)}. time.` })()
  expect(await prepareRebase(trace, agent)).toEqual({
    status: 'refused',
    reason: 'it would not hold: step 1 (input: args) differs from one replay to the next',
  })
})

it('keeps secrets out of what it takes over', async () => {
  const { trace } = await recordGolden()
  const secret = 'sk-proj-a1b2c3d4e5f6g7h8i9j0k1l2'
  const text = textOf(await prepareRebase(trace, version({ words: `Use ${secret}.`, states: [secret, secret], ending: () => secret })))
  expect(text).not.toContain(secret)
  const { rows, steps } = decodeTrace(text, 'rebased.jsonl', digest)
  expect(rows.filter(({ kind }) => kind === 'stand-in')).toHaveLength(1)
  expect(JSON.stringify(steps)).toContain('Use sk-proj-w9t9h9l9')
})

it("rebases the project's own goldens to themselves but for what changed", async () => {
  const { supportAgent } = await import('../../examples/support-agent/agent-openai.ts')
  const trace = await readTrace('cancel-unshipped-support-openai')
  const agent = async (input: never): Promise<object> => ({ ...(await supportAgent(input)), told: true })
  const { readFile } = await import('node:fs/promises')
  const text = await readFile('golden-traces/cancel-unshipped-support-openai.jsonl', 'utf8')
  const { out, in: into } = changedLines(text, textOf(await prepareRebase(trace, agent, { rebasedAt })))
  expect([out.length, into.length]).toEqual([2, 2])
  expect(into[1]).toContain('"told":true')
})
