import { expect, it } from 'vitest'
import { createNoiseFilter } from '../../examples/demo/noise.ts'

it('shows what a test runner says, without banner, rulers, times and code', () => {
  const printed = [
    '',
    ' RUN  v5.1.1 /tmp/project',
    '',
    ' ❯ test/refund-twice.test.ts (1 test | 1 failed) 12ms',
    '     × refunds a lost order once 3ms',
    '',
    '⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯',
    '',
    ' FAIL  test/refund-twice.test.ts > refunds a lost order once',
    'Error: it differs',
    '',
    '',
    '  took 5ms or more',
    ' ❯ test/refund-twice.test.ts:3:25',
    '      1| import { expect, test } from "vitest"',
    '       |         ^',
    '⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯',
    '',
    '      Tests  1 failed (1)',
    '   Start at  03:20:10',
    '   Duration  183ms (transform 61%)',
    '',
  ]
  expect(shown(printed)).toEqual([
    ' ❯ test/refund-twice.test.ts (1 test | 1 failed)',
    '     × refunds a lost order once',
    '',
    ' FAIL  test/refund-twice.test.ts > refunds a lost order once',
    'Error: it differs',
    '',
    '  took 5ms or more',
    ' ❯ test/refund-twice.test.ts:3:25',
    '',
    '      Tests  1 failed (1)',
  ])
})

it('knows noise that is coloured, and leaves colours closed', () => {
  expect(
    shown([
      '\u001b[1m\u001b[46m RUN \u001b[49m\u001b[22m \u001b[36mv5.1.1 \u001b[39m',
      ' \u001b[32m✓\u001b[39m a\u001b[32m 2\u001b[2mms\u001b[22m\u001b[39m',
      '\u001b[2m   Start at \u001b[22m 03:20:10',
    ]),
  ).toEqual([' \u001b[32m✓\u001b[39m a'])
})

function shown(lines: readonly string[]): string[] {
  const filter = createNoiseFilter()
  return lines.flatMap((line) => filter(line))
}
