// npm exec -- node examples/checkpoint-store/main.ts
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { checkpoint, createRecorder, currentRun, external, tool } from 'goldenrun'
import { replay, resume } from 'goldenrun/replay'
import { startPayments } from '../world/payments.ts'
import { createTemporaryStore } from '../world/temporary-store.ts'

interface State {
  readonly done: readonly string[]
  readonly left: readonly string[]
}

const payments = await startPayments()
await using store = await createTemporaryStore()
const file = path.join(store.folder, 'state.json')

// The agent's own store of checkpoints. It is an external, so a replay reads what was read then, and not the file.
const load = external('checkpoints.load', async () => JSON.parse(await readFile(file, 'utf8').catch(() => 'null')) as State | null)
const save = external('checkpoints.save', async (state: State) => await writeFile(file, JSON.stringify(state)))

const cancelOrder = tool('cancel_order', { effect: 'write' }, async (id: string) => {
  const response = await fetch(`${payments.url}/v1/orders/${id}/cancel`, { method: 'POST' })
  return response.status
})

let diesAfter: string | undefined

/** Cancels orders, one after the other. It goes on from where goldenrun says, else from its own store, else from the start. */
async function cancelAgent(ids: readonly string[]): Promise<State> {
  const resumed = currentRun()?.resumedFrom?.state as State | undefined
  let state = resumed ?? (await load()) ?? { done: [], left: ids }
  while (state.left.length > 0) {
    const [id = '', ...left] = state.left
    state = { done: [...state.done, `${id}: ${await cancelOrder(id)}`], left }
    await save(state)
    checkpoint('saved', state)
    if (id === diesAfter) throw new Error('The process died.')
  }
  return state
}

const input = ['ord_1001', 'ord_1002', 'ord_1003']
const recorder = createRecorder({ store: store.folder })
diesAfter = 'ord_1001'
await recorder.run({ agent: 'cancel', input }, cancelAgent).catch((error: Error) => console.log(error.message))
diesAfter = undefined
const { done } = await recorder.run({ agent: 'cancel', input }, cancelAgent)
await recorder.close()
await payments.close()
console.log(`Resumed from its own store: ${done.join(', ')}. The shop cancelled ${payments.ledger.cancellations.join(', ')}.`)

// The second run, again: what it loaded is in the recording, whatever the file says now.
await writeFile(file, '{ "done": [], "left": [] }')
const whole = await replay(await store.newest(), cancelAgent)
console.log(`Replayed: ${whole.divergences.length} divergences, steps ${whole.steps.map(({ step }) => step).join(' ')}.`)

// The same run, from its first checkpoint on, without what came before.
const rest = await resume(await store.newest(), cancelAgent, { checkpoint: 'saved' })
console.log(`Resumed at a checkpoint: ${rest.divergences.length} divergences, steps ${rest.steps.map(({ step }) => step).join(' ')}.`)
