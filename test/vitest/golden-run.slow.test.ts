import { expect, it } from 'vitest'
import { createVitestWorkspace, supportProject } from '../support/vitest-workspace.ts'

it('runs each golden as a test file that is named by its golden', async () => {
  await using workspace = await createVitestWorkspace()
  const project = await workspace.project(await supportProject())
  const { status, output } = await project.vitest(['run', '--no-file-parallelism'])
  expect(output).toMatchInlineSnapshot(`
    "❯ golden-traces/refund-twice.jsonl (1 test | 1 failed)
       × refund-twice: The refund timed out after it was booked, so the agent booked another
     ✓ golden-traces/cancel-unshipped.jsonl (1 test)

     FAIL  golden-traces/refund-twice.jsonl > refund-twice: The refund timed out after it was booked, so the agent booked another
    Error: Failed to hold "refund-twice": the agent still repeats the incident.
      The refund timed out after it was booked, so the agent booked another

        3  http      GET http://127.0.0.1:4020/v1/orders/ord_1001 → 200 {"id":"ord_1001","status":"shipped","item":"Desk la…
        4  model     openai.chat (gpt-4.1-mini, 3 messages) → refund_order({"order_id":"ord_1001","amount":4900})
        5  tool      refund_order({"order_id":"ord_1001","amount":4900}) → throws TypeError: fetch failed
        6  http      POST http://127.0.0.1:4020/v1/refunds {"order_id":"ord_1001","… → throws SocketError: other side closed
    >   7  tool      refund_order({"order_id":"ord_1001","amount":4900}) → {"id":"re_2","order_id":"ord_1001","amount":4900…

    Step 7 makes refund_order({"order_id":"ord_1001","amount":4900}) again, first made at step 5.
        at        src/run-tool.ts:36:33

    Fix the agent, not the golden.
    To stop there in a debugger: npx goldenrun debug refund-twice --at 7
     ❯ src/run-tool.ts:36:33
         34|     case 'refund_order': {
         35|       // The payments API drops a connection now and then.
         36|       return withRetry(2, () => refundOrder(args))
           |                                 ^
         37|     }
         38|     case 'find_refund':
     ❯ src/run-tool.ts:36:33

     ❯ notice
       ↳ See the run: .goldenrun/pages/refund-twice.red.html

     Test Files  1 failed | 1 passed (2)
          Tests  1 failed | 1 passed (2)
         Goldens  1 repeated | 1 held (2)"
  `)
  expect(status).toBe(1)
}, 60_000)
