import { expect, it } from 'vitest'
import { reportSchema } from '../../scripts/report-schema.ts'
import { compareRuns, readTrace } from '../../src/replay.ts'
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

it('puts several runs side by side, each compared with the first', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const [cancelled, again, refunded] = [await recordCancel(store), await recordCancel(store), await recordRefundTwice(store)]
  const { status, stdout } = await runCommand(project.path, ['diff', cancelled, again, refunded])
  expect(stdout.replace(/^RUN .*$/m, (line) => line.replaceAll(/ +/g, ' ')).replaceAll(/ {2,}/g, ' | ')).toBe(
    [
      'RUN OUTCOME SIDE EFFECTS MODEL TOOL TOKENS FIRST DIFFERENCE',
      `${cancelled} | {"reply":"Your order is cancelled."} | cancel_order | 0 | 2 | 0`,
      `${again} | {"reply":"Your order is cancelled."} | cancel_order | 0 | 2 | 0 | none`,
      `${refunded} | {"reply":"Your money is on its way."} | refund_order, refund_order | 0 | 3 | 0 | after step 1: unexpected call (refund_order({"id":"ord_1","amount":42…))`,
      '',
    ].join('\n'),
  )
  expect(status).toBe(1)
  const { runs } = JSON.parse((await runCommand(project.path, ['diff', cancelled, again, refunded, '--json'])).stdout) as { runs: object[] }
  expect(runs).toMatchObject([
    { id: cancelled, toolCalls: 2 },
    { id: again, toolCalls: 2 },
    {
      id: refunded,
      toolCalls: 3,
      sideEffects: [{ step: 2 }, { step: 3 }],
      difference: { step: 1, position: 'after', cause: 'unexpected-call' },
    },
  ])
  expect(await compareRuns(cancelled, again, refunded, await readTrace(again))).toMatchObject({
    runs: [{ toolCalls: 2 }, { toolCalls: 2 }, { toolCalls: 3 }, { toolCalls: 2 }],
  })
})

it('compares a run with the most similar one that went well', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const none = await runCommand(project.path, ['similar', await recordRefundTwice(store)])
  expect(none.stdout).toBe('There is no other run of this agent that went well. To see all runs: --all\n')
  const [refunded, cancelled] = [await recordRefundTwice(store), await recordCancel(store)]
  // Another run of the same kind is more similar, but it repeated a side effect, too.
  const { stdout } = await runCommand(project.path, ['similar', refunded])
  expect(stdout).toMatch(new RegExp(`^ALIKE +ID +STATUS +STEPS +STARTED\\n +\\d\\d % +${cancelled} +returned +2 `))
  expect(stdout).toContain(`To show where they differ: npx goldenrun diff ${cancelled} ${refunded}\n`)
  expect((await runCommand(project.path, ['similar', refunded, '--all'])).stdout).toMatch(/^ALIKE.*\n100 % /)
  const compared = await runCommand(project.path, ['diff', refunded, '--similar'])
  expect(compared.stderr).toMatch(new RegExp(`^Compared with ${cancelled}, \\d+ % alike.\\n$`))
  expect(compared.stdout).toContain(`"${refunded}" differs from "${cancelled}"`)
  for (const [args, message] of [
    [['diff', refunded], 'error: two runs are needed, or one and --similar'],
    [['diff', refunded, cancelled, '--similar'], 'error: --similar takes one run'],
  ] as const) {
    expect(await runCommand(project.path, args)).toMatchObject({ status: 2, stderr: expect.stringContaining(message) })
  }
})
