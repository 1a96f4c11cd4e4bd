// npm exec -- node examples/tool/main.ts
import { createRecorder, tool } from 'goldenrun'
import { replay } from 'goldenrun/replay'
import { startPayments } from '../world/payments.ts'
import { createTemporaryStore } from '../world/temporary-store.ts'

class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

const payments = await startPayments()
let runs = 0

// A step of the run: recorded with its arguments and its result, or what it throws. On replay the function does not run.
const cancelOrder = tool('cancel_order', { effect: 'write', errors: [RefusedError] }, async (id: string) => {
  runs += 1
  const response = await fetch(`${payments.url}/v1/orders/${id}/cancel`, { method: 'POST' })
  if (!response.ok) throw new RefusedError(((await response.json()) as { error: { message: string } }).error.message)
  return (await response.json()) as { status: string }
})

async function cancelAgent(ids: readonly string[]): Promise<string[]> {
  const lines: string[] = []
  for (const id of ids) {
    try {
      lines.push(`${id} is ${(await cancelOrder(id)).status}`)
    } catch (error) {
      // On replay, this is a RefusedError too.
      if (!(error instanceof RefusedError)) throw error
      lines.push(`${id} is refused: ${error.message}`)
    }
  }
  return lines
}

await using store = await createTemporaryStore()
const recorder = createRecorder({ store: store.folder })
await recorder.run({ agent: 'cancel', input: ['ord_1002', 'ord_1001'] }, cancelAgent)
await recorder.close()
console.log(`Recorded: the function ran ${runs} times, and the shop cancelled ${payments.ledger.cancellations.join(', ')}.`)
await payments.close()

const before = runs
const run = await replay(await store.newest(), cancelAgent)
console.log(`Replayed: the function ran ${runs - before} times.`)
if (run.outcome.status === 'returned') console.log(run.outcome.output.join('\n'))

// The same recording with an agent that does something else.
const changed = await replay(await store.newest(), (ids: readonly string[]) => cancelAgent(ids.toReversed()))
const [first] = changed.divergences
console.log(`In another order: step ${first?.step} diverged (${first?.cause}), and the function ran ${runs - before} times.`)
