import { expect, it } from 'vitest'
import { reportSchema } from '../../scripts/report-schema.ts'
import { recordCancel, recordRefundTwice } from '../support/recordings.ts'
import { runCommand, withoutTimes } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const store = '.goldenrun/runs'

it('says where two runs differ, folds what is equal, and exits with 1', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const [cancelled, refunded] = [await recordCancel(store), await recordRefundTwice(store)]

  const { status, stdout, stderr } = await runCommand(project.path, ['diff', cancelled, refunded])

  expect(withoutTimes(stdout.replaceAll(cancelled, 'CANCELLED').replaceAll(refunded, 'REFUNDED'))).toMatchInlineSnapshot(`
    ""REFUNDED" differs from "CANCELLED": the call after step 1 (unexpected call).

    "REFUNDED" made a call that "CANCELLED" did not make.
        a         step 2, cancel_order({"id":"ord_1"})
        b         refund_order({"id":"ord_1","amount":4200})
    and 4 more: the call after step 1 (unexpected call), checkpoint "order-found" after step 1, step 2 (missing call), …

    To see both in full: npx goldenrun show CANCELLED; npx goldenrun show REFUNDED

      1       1 equal step
    + 2       tool      refund_order({"id":"ord_1","amount":4200}) → throws Error: the payment API did not answer (ETIMEDOU…
    + 3       tool      refund_order({"id":"ord_1","amount":4200}) → {"id":"ord_1","refunded":4200}
    - 2       tool      cancel_order({"id":"ord_1"}) → {"id":"ord_1","status":"cancelled"}
    "
  `)
  expect([status, stderr]).toEqual([1, ''])
})

it('exits with 0 where they do the same, and with 2 where one is not there', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const [once, again] = [await recordCancel(store), await recordCancel(store)]
  const same = await runCommand(project.path, ['diff', once, again])
  expect(same).toEqual({ status: 0, stdout: `"${again}" matches "${once}" in all 2 steps.\n`, stderr: '' })
  const missing = await runCommand(project.path, ['diff', once, 'none'])
  expect([missing.status, missing.stdout]).toEqual([2, ''])
  expect(missing.stderr).toContain('There is no golden trace "none"')
})

it('prints one JSON object with a report of the published schema, or Markdown', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const [cancelled, refunded] = [await recordCancel(store), await recordRefundTwice(store)]

  const json = await runCommand(project.path, ['diff', cancelled, 'latest', '--json'])
  const { same, report, steps } = JSON.parse(json.stdout) as { same: boolean; report: unknown; steps: unknown }
  expect(json.status).toBe(1)
  expect(same).toBe(false)
  expect(reportSchema.parse(report)).toMatchObject({ trace: { name: cancelled }, divergence: { cause: 'unexpected-call', step: 1 } })
  expect(steps).toEqual([
    { a: 1, b: 1, state: 'equal' },
    { b: 2, state: 'only-b' },
    { b: 3, state: 'only-b' },
    { a: 2, state: 'only-a' },
  ])

  const markdown = await runCommand(project.path, ['diff', cancelled, refunded, '--markdown'])
  expect(markdown.status).toBe(1)
  expect(markdown.stdout).toContain('```diff\n- step 2, cancel_order({"id":"ord_1"})\n+ refund_order({"id":"ord_1","amount":4200})\n```')
  expect((await runCommand(project.path, ['diff', cancelled, refunded, '--markdown', '--json'])).status).toBe(2)
})
