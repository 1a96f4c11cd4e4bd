import { expect, it } from 'vitest'
import { supportAgent } from '../../examples/support-agent/agent-openai.ts'
import { describeGolden } from '../../src/vitest.ts'

let replays = 0

async function agent(input: never): Promise<object> {
  replays += 1
  return supportAgent(input)
}

describeGolden('cancel-*-openai', agent, (golden, run) => {
  it('is given the golden', () => {
    expect(golden).toMatchObject({ name: 'cancel-unshipped-support-openai', expect: { replay: 'same' } })
    expect(golden.input).toEqual({ ticket: 'Please cancel ord_1002, I ordered the chair in the wrong colour.' })
    expect(replays).toBe(0)
  })

  it('is given a promise of the run', async () => {
    await expect(run).toReplayWithoutDivergence()
    await expect(run).not.toHaveCalledTool('refund_order')
    await expect(run).resolves.toHaveCalledTools(['get_order', 'cancel_order'])
    expect(await run).toHaveReachedCheckpoint('order-found')
    expect(replays).toBe(1)
  })

  it.concurrent('has its soft assertions on the run', async ({ expect: expectOwn }) => {
    expectOwn.soft(await run).toHaveCalledToolTimes('cancel_order', 1)
  })

  it('prints what the run did in snapshots', async () => {
    const done = await run
    expect(done.toolCalls).toMatchInlineSnapshot(`
      get_order({"order_id":"ord_1002"}) → {"id":"ord_1002","status":"packed","item":"Office chair","amount":18900,"currency":"usd"}
      cancel_order({"order_id":"ord_1002"}) → {"id":"ord_1002","status":"cancelled","item":"Office chair","amount":18900,"currency":"usd"}
    `)
    expect(done.checkpoints).toMatchInlineSnapshot(`
      order-found {"order":{"id":"ord_1002","status":"packed","item":"Office chair","amount":18900,"currency":"usd"}}
      order-cancelled {"order":{"id":"ord_1002","status":"cancelled","item":"Office chair","amount":18900,"currency":"usd"}}
    `)
    expect(done).toMatchInlineSnapshot(`
      cancel-unshipped-support-openai, support-openai
        1  model     openai.chat (gpt-4.1-mini, 1 message) → "Let me look at that order." get_order({"order_id":"ord_1002"})
        2  tool      get_order({"order_id":"ord_1002"}) → {"id":"ord_1002","status":"packed","item":"Office chair","amount":18900,"currency":"usd"}
        4  model     openai.chat (gpt-4.1-mini, 3 messages) → cancel_order({"order_id":"ord_1002"})
        5  tool      cancel_order({"order_id":"ord_1002"}) → {"id":"ord_1002","status":"cancelled","item":"Office chair","amount":18900,"currency":"usd"}
        7  model     openai.chat (gpt-4.1-mini, 5 messages) → "Your office chair was not shipped yet, so I have cancelled ord_1002 for you. Your card is not charged."
           checkpoint  order-found {"order":{"id":"ord_1002","status":"packed","item":"Office chair","amount":18900,"currency":"usd"}}
           checkpoint  order-cancelled {"order":{"id":"ord_1002","status":"cancelled","item":"Office chair","amount":18900,"currency":"usd"}}
      returned {"reply":"Your office chair was not shipped yet, so I have cancelled ord_1002 for you. Your card is not charged."}
    `)
    expect({ calls: done.toolCalls, none: [] }).toMatchInlineSnapshot(`
      {
        "calls": get_order({"order_id":"ord_1002"}) → {"id":"ord_1002","status":"packed","item":"Office chair","amount":18900,"currency":"usd"}
        cancel_order({"order_id":"ord_1002"}) → {"id":"ord_1002","status":"cancelled","item":"Office chair","amount":18900,"currency":"usd"},
        "none": [],
      }
    `)
  })
})

describeGolden('**', agent, (golden) => {
  it('takes every golden', () => {
    expect(golden.promotedAt).toMatch(/^2026/)
  })
})

describeGolden('{cancel,keep}-*-openai', agent, (golden) => {
  it('is found by a pattern with alternatives', () => {
    expect(golden.name).toBe('cancel-unshipped-support-openai')
  })
})
