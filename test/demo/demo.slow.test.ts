import { readFile } from 'node:fs/promises'
import { beforeAll, expect, it } from 'vitest'
import { commandOutput, type DemoRun, runDemo } from './run-demo.ts'
import { codeBlocks, README } from './readme.ts'

let demo: DemoRun

// The only test that builds `dist`. What it runs is what the README says to run.
beforeAll(async () => {
  demo = await runDemo('npm', ['run', 'demo'])
}, 240_000)

it('ends by itself, with everything come out as told', () => {
  expect(demo).toMatchObject({
    status: 0,
    output: expect.stringMatching(/Every act came out as told, in \d+\.\d seconds\. The double refund as a page: \S+\n$/),
  })
})

it('leaves no project behind', () => {
  expect(demo.left).toEqual([])
})

it('keeps the page of the double refund', async () => {
  const [, page = ''] = /The double refund as a page: (\S+)\n$/.exec(demo.output) ?? []
  expect(await readFile(page, 'utf8')).toContain('<title>refund-twice · goldenrun</title>')
})

it('says in a line what each act shows, and the commands that did it', () => {
  const story = demo.output.split('\n').filter((line) => /^(\d+\. | {2}\$ )/.test(line))
  expect(story).toEqual([
    '1. Production. Two customers write to a support agent; goldenrun records both runs as they happen.',
    '  $ node src/answer-ticket.ts "Please cancel ord_1002, I ordered the chair in the wrong colour." max',
    '  $ node src/answer-ticket.ts "I was charged for ord_1001 but it never arrived, please refund" jane',
    '2. Jane complains. No server is running any more. Her run is found by her name, and flagged: it repeats a side effect.',
    '  $ npx goldenrun list --tag user=jane --since 1h',
    '3. Her run happens again, without a server, as often as you like. At each step its variables can be read.',
    '  $ npx goldenrun replay latest',
    '  $ npx goldenrun inspect latest --find count',
    '4. Three fixes are tried, from the moment of the refund on.',
    '  $ npx goldenrun fork latest --then sandbox',
    '  $ npx goldenrun fork latest~1 --then sandbox',
    '  $ npx goldenrun fork latest~2 --then sandbox',
    '5. One table compares the incident with its three forks.',
    '  $ npx goldenrun diff latest~3 latest~2 latest~1 latest',
    '6. The incident becomes a golden trace: a test that holds once the agent no longer does what went wrong.',
    '  $ npx goldenrun promote latest~3 --incident --name refund-twice --yes \\',
    '  $ npx goldenrun view refund-twice',
    '7. The test is red: the agent still books the second refund.',
    '  $ npx vitest run refund-twice',
    '8. The retry gets its check, and the same golden is green.',
    '  $ npx vitest run refund-twice',
    '9. What a model makes of the new answer, only a model can say. It is asked from step 7 on, in twelve samples; nothing is written.',
    '  $ npx goldenrun verify refund-twice',
    '10. An ordinary run becomes a golden trace too: it holds while the agent does the same again.',
    '  $ npx goldenrun promote latest~4 --name cancel-unshipped --yes',
    '  $ npx vitest run cancel-unshipped',
    '11. One word of the prompt changes, and the test is red: it names step, cause and line.',
    '  $ npx vitest run cancel-unshipped',
    '12. Another incident: Tom gets no answer. The model searches again and again, until the agent gives up.',
    "  $ node world.ts node src/answer-ticket.ts tom 'Which bulb fits my desk lamp?'",
    '  $ npx goldenrun list --tag user=tom --status threw --since 1h',
    '  $ npx goldenrun show latest',
    '13. Step 8 searches what step 2 has searched. The golden is red for as long as it does, and wants an answer.',
    '  $ npx goldenrun promote latest --incident 8 --name search-loop --yes \\',
    '  $ npx vitest run',
    '14. A call that was made before is not made again: the same golden is green, and a model that is told to stop, stops.',
    '  $ npx vitest run',
    '  $ node world.ts npx goldenrun verify search-loop',
  ])
})

it('is red and then green for each incident, and green and then red for the ordinary run', () => {
  expect(demo.output.match(/Tests {2}.*/g)).toEqual([
    'Tests  1 failed (1)',
    'Tests  1 passed (1)',
    'Tests  1 passed (1)',
    'Tests  1 failed (1)',
    'Tests  1 failed (1)',
    'Tests  1 passed (1)',
  ])
})

it('books two refunds in production and says so', () => {
  expect(demo.output).toContain('The ledger has 2 refunds booked for ord_1001.')
})

it('reads the retry that repeats the refund, and compares three fixes of it', () => {
  const lines = commandOutput(demo.output).split('\n')
  expect(lines).toContain('before step 7  withRetry  src/with-retry.ts:20:20  2')
  const start = lines.findIndex((line) => line.startsWith('RUN  '))
  const table = lines.slice(start + 1, start + 5).map((line) => line.split(/ {2,}/))
  expect(table.map(([, , sideEffects, , , , difference]) => [sideEffects, difference])).toEqual([
    ['refund_order, refund_order', undefined],
    ['refund_order, refund_order', 'none'],
    ['refund_order', 'step 7: missing call (refund_order)'],
    ['refund_order', 'after step 5: unexpected call (find_refund({"order_id":"ord_1001"}))'],
  ])
})

it('asks a model whether each fix holds', () => {
  const verified = commandOutput(demo.output).match(/^\S+: held\n.*\n {2}\d+ of \d+ samples passed/gm)
  expect(verified).toEqual([
    'refund-twice: held\n  Departs from the recorded run at step 7.\n  12 of 12 samples passed',
    'search-loop: held\n  Departs from the recorded run at step 8.\n  12 of 12 samples passed',
  ])
})

it('prints exactly the reports that the README shows', () => {
  // The system picks the port of the payments API; it has five digits wherever it does.
  const [port = ''] = /127\.0\.0\.1:\d+/.exec(README) ?? []
  const printed = commandOutput(demo.output).replaceAll(/127\.0\.0\.1:\d+/g, port)
  const reports = codeBlocks('text').filter((block) => block.startsWith('Error: '))
  expect(reports.map((report) => report.split('\n')[0])).toEqual([
    'Error: Failed to replay "cancel-unshipped": step 1 diverged (input: system prompt). Changed since this golden was accepted: src/prompt.ts.',
    'Error: Failed to hold "refund-twice": the agent still repeats the incident.',
  ])
  for (const report of reports) expect(printed).toContain(report)
})

it('tells of one incident by itself', async () => {
  const { status, output, left } = await runDemo(process.execPath, ['examples/demo/demo.ts', '--incident', 'search-loop'])
  expect(status, output).toBe(0)
  expect(output).toMatch(/^\n1\. Another incident: Tom gets no answer\./)
  expect(output).toMatch(/\nEvery act came out as told, in \d+\.\d seconds\.\n$/)
  expect(output.match(/Tests {2}.*/g)).toEqual(['Tests  1 failed (1)', 'Tests  1 passed (1)'])
  expect(left).toEqual([])
}, 60_000)

it('ends with status 1 and all that a command printed where an act does not come out as told', async () => {
  // Without npx the first act comes out, and the second does not.
  const { status, output, left } = await runDemo(process.execPath, ['examples/demo/demo.ts'], { PATH: '' })
  expect(status).toBe(1)
  expect(output).toMatch(
    /\n\nThe demo did not come out as told\. \$ npx goldenrun list --tag user=jane --since 1h: it ended with status 127 and not 0, it does not say "refund_order: step 7 repeats step 5"\. All that it printed:\n.*npx.*not found\n$/,
  )
  expect(left).toEqual([])
}, 60_000)
