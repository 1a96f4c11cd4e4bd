import { expect, it } from 'vitest'
import { renderDivergences } from '../../src/divergence/create-report.ts'
import { replay } from '../../src/replay/replay.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'

const send = tool('send', {}, async (args: object) => Object.keys(args).length)

it('says that a field differs because the agent draws from chance in another order', async () => {
  const { trace } = await recordRun(async () => {
    const [token, nonce] = [Math.random(), Math.random()]
    return await send({ token, nonce })
  })
  const run = await replay(trace, async () => {
    const [nonce, token] = [Math.random(), Math.random()]
    return await send({ token, nonce })
  })
  expect(run.divergences[0]).toMatchObject({
    cause: 'input',
    parts: ['args'],
    differences: [
      { path: 'args.token', drawn: true },
      { path: 'args.nonce', drawn: true },
    ],
  })
  expect(renderDivergences(run, { color: false, width: 160 })).toContain(
    'Note: args.token, args.nonce come from the clock or a random source, which the agent now reads in a different order or number.',
  )
})

it('says of which fields that is so where another has changed too', async () => {
  const { trace } = await recordRun(async () => await send({ at: Date.now(), id: crypto.randomUUID(), note: 'first' }))
  const run = await replay(trace, async () => {
    crypto.randomUUID()
    return await send({ at: Date.now(), id: crypto.randomUUID(), note: 'second' })
  })
  const [divergence] = run.divergences
  expect(divergence?.differences.map(({ path, drawn = false }) => [path, drawn])).toEqual([
    ['args.id', true],
    ['args.note', false],
  ])
})

it('says nothing of the kind where values only differ', async () => {
  const { trace } = await recordRun(async () => await send({ amount: 4900, at: Date.now() }))
  const run = await replay(trace, async () => await send({ amount: 5000, at: Date.now() }))
  expect(run.divergences[0]?.differences).toEqual([{ path: 'args.amount', part: 'args', expected: 4900, received: 5000 }])
  expect(renderDivergences(run, { color: false, width: 160 })).not.toContain('clock or a random source')
})
