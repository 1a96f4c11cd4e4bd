import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRecorder, tool } from 'goldenrun'

// Only the folder for temporary files can be written there.
const recorder = createRecorder({ store: process.env.RUNS ?? join(tmpdir(), 'runs') })
const look = tool('look', { effect: 'read' }, async (order) => {
  const response = await fetch(`${process.env.SHOP}/orders/${order}`)
  return await response.json()
})

export async function handler({ order }) {
  const found = await recorder.run({ agent: 'desk', input: { order } }, async (input) => ({ found: await look(input.order) }))
  // The process stands still from the answer on.
  await recorder.flush()
  return { statusCode: 200, body: JSON.stringify(found) }
}
