import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execFileSync } from 'node:child_process'
import { createRecorder } from 'goldenrun'
import { listTraces } from 'goldenrun/replay'
import { CANCEL_UNSHIPPED, REFUND_LOST_ORDER } from './scripts.ts'
import { startSupportWorld, USUAL_PORTS } from './start-world.ts'

// npm run build && node examples/support-agent/record-goldens.ts
// Records the project's own goldens anew, from the support agent in both SDKs, at the addresses it calls where its environment says nothing.
const root = path.resolve(import.meta.dirname, '../..')
const store = await mkdtemp(path.join(tmpdir(), 'goldenrun-goldens-'))
const answers = path.join(import.meta.dirname, 'refund-answers.json')

for (const sdk of ['openai', 'anthropic'] as const) {
  const world = await startSupportWorld({ faults: { refund: 'times-out-after-acting' }, ports: USUAL_PORTS })
  const { supportAgent } = await (sdk === 'anthropic' ? import('./agent-anthropic.ts') : import('./agent-openai.ts'))
  const recorder = createRecorder({ store })
  await recorder.run({ agent: `support-${sdk}`, input: { ticket: CANCEL_UNSHIPPED.ticket } }, supportAgent)
  await recorder.run({ agent: `support-${sdk}`, input: { ticket: REFUND_LOST_ORDER.ticket } }, supportAgent)
  await recorder.close()
  await world.close()
  // The next world has the same addresses: what is left of the connections to this one has to be gone.
  await sleep(100)
}

for (const { id, agent, flags } of await listTraces({ store })) {
  const incident = flags.length > 0
  const about = incident
    ? ['--name', `refund-twice-${agent}`, '--describe', 'The refund timed out after it was booked, so the agent booked another']
    : ['--name', `cancel-unshipped-${agent}`, '--describe', 'An order that has not shipped is cancelled']
  const expected = incident ? ['--incident', '--answers', answers] : []
  const promote = [path.join(root, 'dist/cli.js'), 'promote', id, '--store', store, ...about, ...expected, '--yes', '--force']
  execFileSync(process.execPath, promote, { cwd: root, stdio: 'inherit' })
}
await rm(store, { recursive: true })
