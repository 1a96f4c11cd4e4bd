// @vitest-environment jsdom
import { replay } from 'goldenrun/vitest'
import { expect, test } from 'vitest'
import { lookupAgent } from '../src/lookup.ts'

test('replays an agent beside a document', async () => {
  document.body.innerHTML = '<p id="reply"></p>'
  const run = await replay('busy-shop', lookupAgent)
  expect(run).toReplayWithoutDivergence()
  if (run.outcome.status === 'returned') document.querySelector('#reply')!.textContent = run.outcome.output.reply
  expect(document.body.textContent).toBe('Your desk lamp is on its way.')
})

test('waits for no timer of the recorded run', async () => {
  const run = await replay('busy-shop', lookupAgent)
  expect(run.virtualMs).toBeGreaterThan(600)
})

test('finds what the agent does otherwise', async () => {
  const run = await replay('busy-shop', async ({ id }: { id: string }) => lookupAgent({ id: `${id}0` }))
  expect(run).toDivergeAt(1, 'input')
})
