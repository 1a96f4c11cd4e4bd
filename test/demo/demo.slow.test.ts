import { readFile } from 'node:fs/promises'
import { beforeAll, expect, it } from 'vitest'
import { commandOutput, type DemoRun, runDemo } from './run-demo.ts'
import { codeBlocks, README } from './readme.ts'

let demo: DemoRun

// The only test that builds `dist`. What it runs is what the README says to run.
beforeAll(async () => {
  demo = await runDemo('npm', ['run', 'demo'])
}, 120_000)

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
  expect(story.map((line) => line.replace(/\d{8}-\d+-[0-9a-f]+/, '<id>'))).toEqual([
    '1. Production. Two customers write to a support agent; goldenrun records both runs as they happen.',
    '  $ node src/answer-ticket.ts "Please cancel ord_1002, I ordered the chair in the wrong colour."',
    '  $ node src/answer-ticket.ts "I was charged for ord_1001 but it never arrived, please refund"',
    '2. From here on no server is running. The recorder has flagged the run that repeats a side effect.',
    '  $ npx goldenrun list',
    '3. The incident becomes a golden trace: a test that holds once the agent no longer does what went wrong.',
    '  $ npx goldenrun promote latest --incident --name refund-twice --yes \\',
    '  $ npx goldenrun view refund-twice',
    '4. The test is red: the agent still books the second refund.',
    '  $ npx vitest run refund-twice',
    '5. The retry gets its check, and the same golden is green.',
    '  $ npx vitest run refund-twice',
    '6. An ordinary run becomes a golden trace too: it holds while the agent does the same again.',
    '  $ npx goldenrun promote <id> --name cancel-unshipped --yes',
    '  $ npx vitest run cancel-unshipped',
    '7. One word of the prompt changes, and the test is red: it names step, cause and line.',
    '  $ npx vitest run cancel-unshipped',
  ])
})

it('is red, green, green and red, in that order', () => {
  expect(demo.output.match(/Tests {2}.*/g)).toEqual([
    'Tests  1 failed (1)',
    'Tests  1 passed (1)',
    'Tests  1 passed (1)',
    'Tests  1 failed (1)',
  ])
})

it('books two refunds in production and says so', () => {
  expect(demo.output).toContain('The ledger has 2 refunds booked for ord_1001.')
})

it('prints the reports that the README shows, to the letter', () => {
  // The system picks the port of the payments API; it has five digits wherever it does.
  const [port = ''] = /127\.0\.0\.1:\d+/.exec(README) ?? []
  const printed = commandOutput(demo.output).replaceAll(/127\.0\.0\.1:\d+/g, port)
  const reports = codeBlocks('text').filter((block) => block.startsWith('Error: '))
  expect(reports.map((report) => report.split('\n')[0])).toEqual([
    'Error: Failed to replay "cancel-unshipped": step 1 diverged (input: system prompt).',
    'Error: Failed to hold "refund-twice": the agent still repeats the incident.',
  ])
  for (const report of reports) expect(printed).toContain(report)
})

it('ends with status 1 and all that a command printed where an act does not come out as told', async () => {
  // Without npx the first act comes out, and the second does not.
  const { status, output, left } = await runDemo(process.execPath, ['examples/demo/demo.ts'], { PATH: '' })
  expect(status).toBe(1)
  expect(output).toMatch(
    /\n\nThe demo did not come out as told\. \$ npx goldenrun list: it ended with status 127 and not 0, it does not say "refund_order: step 7 repeats step 5"\. All that it printed:\n.*npx.*not found\n$/,
  )
  expect(left).toEqual([])
}, 60_000)
