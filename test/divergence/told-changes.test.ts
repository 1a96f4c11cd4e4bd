import { expect, it } from 'vitest'
import { renderReport } from '../../src/divergence/create-report.ts'
import { replay } from '../../src/replay/replay.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import { external } from '../../src/run/external.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const look = tool('look', { effect: 'read' }, async (what: string) => (await pause(3), { text: `All there is on ${what}.` }))
const send = tool('send', { effect: 'write' }, async (_message: object) => (await pause(3), 'sent'))
const ask = external('ask', async (what: object | string) => (await pause(3), `An answer to ${JSON.stringify(what)}.`))

type Agent = (isChanged: boolean) => Promise<unknown>

/** @param left What the recording waits for after the end of the run. Default: nothing. */
async function changed(agent: Agent, left: () => Promise<unknown> = () => Promise.resolve()): Promise<ReplayedRun> {
  const { trace } = await recordRun(() => agent(false), { consume: left })
  await expectClean(trace, () => agent(false))
  return await replay(trace, () => agent(true))
}

const told = (run: ReplayedRun): string => renderReport(run, { color: false, width: 200 })

it('reports an extra call as such, although the recorded run makes the same call later', async () => {
  for (const extra of [() => send({ to: 'ann' }), () => look('c')]) {
    const run = await changed(async (isChanged) => {
      await look('a')
      if (isChanged) await extra()
      await look('b')
      await send({ to: 'ann' })
      await look('c')
      await look('d')
    })
    expect(run.divergences).toMatchObject([{ cause: 'unexpected-call', step: 1, position: 'after', site: { file: expect.any(String) } }])
    expect(told(run)).toContain('expected  step 2, look("b")')
  }
})

it('reports a call that is made earlier, and not again, as an order', async () => {
  const run = await changed(async (isChanged) => {
    await look('a')
    if (isChanged) await send({ to: 'ann' })
    await look('b')
    if (!isChanged) await send({ to: 'ann' })
    await look('c')
  })
  expect(run.divergences).toMatchObject([{ cause: 'order', step: 2, before: 3 }])
})

const skips: Readonly<Record<string, readonly [Agent, string]>> = {
  'gives its result to a tool': [
    async (isChanged) => {
      const draft = await ask('a draft of it')
      await send({ draft: isChanged ? draft : await ask({ refine: draft }) })
      await look('end')
    },
    'Step 2 was skipped; the agent went on with step 3, whose args.draft has the result of step 1 instead of that of step 2.',
  ],
  'gives a part of its result to a tool': [
    async (isChanged) => {
      const { text } = await look('a')
      await send({ draft: isChanged ? text : (await look(`more than ${text}`)).text, kind: 'letter' })
      await look('end')
    },
    'Step 2 was skipped; the agent went on with step 3, whose args.draft has the result of step 1 instead of that of step 2.',
  ],
  'comes before a call of the same function': [
    async (isChanged) => {
      const plan = await ask('plan it')
      await ask(`Carry out: ${isChanged ? plan : await ask({ better: plan, how: 'shorter' })} Now.`)
      await look('end')
    },
    'Step 2 was skipped; the agent went on with step 3, whose args has the result of step 1 instead of that of step 2.',
  ],
}

it.each(Object.entries(skips))('reports a skipped step that %s', async (_how, [agent, words]) => {
  const run = await changed(agent)
  expect(run.divergences[0]).toMatchObject({ cause: 'missing-call', step: 2 })
  expect(told(run)).toContain(words)
  expect(told(run)).not.toMatch(/unexpected call|and \d+ more/)
})

it('reports a changed call as that, although a later call differs from it in a result', async () => {
  const run = await changed(async (isChanged) => {
    const plan = await ask('plan it')
    const better = await ask(`${isChanged ? 'Lengthen' : 'Shorten'}: ${plan}`)
    await ask(`Carry out: ${better}`)
  })
  expect(run.divergences[0]).toMatchObject({ cause: 'input', step: 2 })
})

it('says of which step a key is', async () => {
  const again: Agent = async (isChanged) => {
    const first = crypto.randomUUID()
    await send({ key: first, part: 1 })
    const second = crypto.randomUUID()
    await send({ key: isChanged ? first : second, part: 2 })
  }
  expect(told(await changed(again))).toContain('The args.key is that of step 1; in the recorded run it was a new one.')
  const anew: Agent = async (isChanged) => {
    const key = crypto.randomUUID()
    await send({ key, part: 1 })
    await send({ key: isChanged ? crypto.randomUUID() : key, part: 2 })
  }
  expect(told(await changed(anew))).toContain('The args.key is a new one; in the recorded run it was that of step 1.')
})

it('says that the same items or results come in a different order', async () => {
  const gather =
    (join: (texts: readonly string[]) => unknown): Agent =>
    async (isChanged) => {
      const texts = await Promise.all(['a', 'b', 'c'].map((what) => ask(what)))
      await send({ to: 'ann', list: join(isChanged ? [texts[2] ?? '', texts[0] ?? '', texts[1] ?? ''] : texts) })
    }
  expect(told(await changed(gather((texts) => texts)))).toContain('The agent sent the same 3 items in a different order.')
  expect(told(await changed(gather((texts) => texts.join('\n'))))).toContain(
    'The results of steps 1, 2, 3 are in a different order in args.list: 3, 1, 2.',
  )
})

it('says that a late call may come after the watch', async () => {
  const sent = Promise.withResolvers<unknown>()
  const agent: Agent = async (isChanged) => {
    await look('a')
    setTimeout(() => sent.resolve(send({ late: true })), isChanged ? 900_000 : 20)
    await look('b')
  }
  const run = await changed(agent, () => sent.promise)
  expect(run.divergences[0]).toMatchObject({ cause: 'missing-call', step: 3, received: { timer: 900_000 } })
  expect(told(run)).toMatch(/did not while it was watched, until \d+ ms after its end: a timer of 900000 ms was still running\./)
})

it('shows a changed prompt without a difference in a redacted address of the code', async () => {
  const rules = 'You answer what the customers of a shop want to know, in the words that they use. '.repeat(3)
  const run = await changed(async (isChanged) => {
    await ask(`${rules}Write to help@shop-of-ours.com if in doubt. ${rules}Be ${isChanged ? 'brief' : 'polite'}.`)
  })
  expect(told(run).match(/^ *(expected|received) /gm)).toHaveLength(2)
  expect(told(run)).toMatch(/Be polite\..*\n.*Be brief\./)
})
