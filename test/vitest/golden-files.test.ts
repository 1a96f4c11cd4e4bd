import { afterAll, beforeAll, expect, it } from 'vitest'
import { FIX } from '../../examples/support-agent/fix.ts'
import { createVitestWorkspace, supportProject, type VitestProject, type VitestWorkspace } from '../support/vitest-workspace.ts'

let workspace: VitestWorkspace

beforeAll(async () => {
  workspace = await createVitestWorkspace()
}, 60_000)

afterAll(() => workspace[Symbol.asyncDispose]())

async function createProject(files: Readonly<Record<string, string>> = {}): Promise<VitestProject> {
  return workspace.project({ ...(await supportProject()), ...files })
}

const title = 'cancel-unshipped: An order that has not shipped is cancelled'

it('runs each golden as a test file that is named by its golden', async () => {
  const project = await createProject()
  const { status, output } = await project.vitest(['run'])
  expect(output).toMatchInlineSnapshot(`
    "❯ golden-traces/refund-twice.jsonl (1 test | 1 failed)
       × refund-twice: The refund timed out after it was booked, so the agent booked another
     ✓ golden-traces/cancel-unshipped.jsonl (1 test)

     FAIL  golden-traces/refund-twice.jsonl > refund-twice: The refund timed out after it was booked, so the agent booked another
    Error: Failed to hold "refund-twice": the agent still does what went wrong.
      The refund timed out after it was booked, so the agent booked another

        3  http      GET http://127.0.0.1:4020/v1/orders/ord_1001 → 200 {"id":"ord_1001","status":"shipped","item":"Desk la…
        4  model     openai.chat (gpt-4.1-mini, 3 messages) → refund_order({"order_id":"ord_1001","amount":4900})
        5  tool      refund_order({"order_id":"ord_1001","amount":4900}) → throws TypeError: fetch failed
        6  http      POST http://127.0.0.1:4020/v1/refunds {"order_id":"ord_1001","… → throws SocketError: other side closed
    >   7  tool      refund_order({"order_id":"ord_1001","amount":4900}) → {"id":"re_2","order_id":"ord_1001","amount":4900…

    Step 7 repeats refund_order({"order_id":"ord_1001","amount":4900}), first made at step 5.

    The golden holds once the agent departs from the recorded run at step 7 or before. Fix the agent, not the golden.

     Test Files  1 failed | 1 passed (2)
          Tests  1 failed | 1 passed (2)

         Goldens  1 diverged | 1 held (2)"
  `)
  expect(status).toBe(1)
})
