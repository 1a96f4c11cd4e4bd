import { expect, it } from 'vitest'
import { compareInputs } from '../../src/divergence/compare-inputs.ts'
import type { Report } from '../../src/divergence/report/report.ts'
import { groupReports } from '../../src/divergence/report/group-reports.ts'
import { groupsToMarkdown, groupsToTerminal } from '../../src/divergence/report/print-groups.ts'
import type { Divergence } from '../../src/divergence/divergence.ts'
import { buildDivergence } from '../matchers/build-run.ts'
import { changedPrompt, stopped } from './report-samples.ts'

const names = Array.from({ length: 100 }, (_, index) => `golden-${index + 1}`)
const style = { color: false, width: 110 }

it('makes one finding of a hundred goldens that carry the same change in prompts that differ otherwise', () => {
  const groups = groupReports(names.map((name) => stopped(changedPrompt('thirty', 'sixty', `customer of ${name}`), name)))
  expect(groups.map(({ report, alsoIn }) => [report.subject.name, alsoIn.length])).toEqual([['golden-1', 99]])
  expect(groupsToTerminal(groups, style).split('\n').at(-1)).toBe(
    'The same in 99 more: golden-2, golden-3, golden-4, golden-5, golden-6, …',
  )
  expect(groupsToMarkdown(groups)).toMatch(/The same in 99 more: `golden-2`, .*`golden-51`, …$/)
})

it('makes one finding of a tool description that changed, at whatever place the tool stands', () => {
  const offer = (before: number, description: string): unknown => ({
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    headers: [],
    json: {
      model: 'gpt-4.1-mini',
      messages: [],
      tools: [...Array.from({ length: before }, (_, index) => `other_${index}`), 'get_order'].map((name) => ({
        type: 'function',
        function: { name, description: name === 'get_order' ? description : 'Another tool.' },
      })),
    },
  })
  const report = (before: number): Report => {
    const differences = compareInputs('model', 'openai.chat', offer(before, 'Gets an order.'), offer(before, 'Looks up an order.'))
    return stopped(
      { cause: 'input', step: 1 + before, boundary: 'model', name: 'openai.chat', parts: ['tool-schema'], differences },
      `golden-${before}`,
    )
  }
  expect(groupReports([report(0), report(1), report(2)])).toHaveLength(1)
})

it('keeps apart what differs in another way', () => {
  const args = (id: string, line: number): Report => {
    const differences = compareInputs('tool', 'cancel_order', { id: 'ord_1' }, { id })
    const site = { file: 'src/agent.ts', line, column: 1 }
    return stopped({ cause: 'input', step: 4, boundary: 'tool', name: 'cancel_order', parts: ['args'], differences, site })
  }
  const reports = [args('ord_2', 48), args('ord_3', 48), args('ord_2', 50), stopped(changedPrompt('thirty', 'sixty')), stopped({})]
  expect(groupReports(reports)).toHaveLength(5)
  expect(groupReports([...reports, args('ord_2', 48)])).toHaveLength(5)
})

it('fits into a comment on GitHub, and says what it left out', () => {
  const reports = names.map((name, index) => {
    const differences = compareInputs('tool', 'cancel_order', { id: 'a'.repeat(90) }, { id: String(index).repeat(40) })
    return stopped({ cause: 'input', step: 4, boundary: 'tool', name: 'cancel_order', parts: ['args'], differences }, name)
  })
  const markdown = groupsToMarkdown(groupReports(reports))
  expect(markdown.length).toBeLessThan(65_536)
  expect(markdown).toMatch(/And \d+ more findings: they do not fit in one comment\.$/)
})

const http = (method: string, path: string): unknown => ({ method, url: `https://api.example.com${path}`, headers: [] })
const site = { file: 'src/agent.ts', line: 48, column: 1 }

/** What one golden alone fails with, each a failure of its own, although place and name are the same. */
const failures: readonly (readonly [what: string, one: Partial<Divergence>, other: Partial<Divergence>])[] = [
  [
    'calls that are missing',
    { cause: 'missing-call', boundary: 'http', name: 'api.example.com', expected: http('POST', '/charge-customer') },
    { cause: 'missing-call', boundary: 'http', name: 'api.example.com', expected: http('POST', '/send-newsletter') },
  ],
  [
    'tool calls that are missing',
    { cause: 'missing-call', boundary: 'tool', name: 'send_mail', expected: { to: 'billing' } },
    { cause: 'missing-call', boundary: 'tool', name: 'send_mail', expected: { to: 'customer' } },
  ],
  [
    'calls that are extra',
    { cause: 'unexpected-call', boundary: 'http', name: 'api.example.com', received: http('DELETE', '/a'), site },
    { cause: 'unexpected-call', boundary: 'http', name: 'api.example.com', received: http('DELETE', '/b'), site },
  ],
  [
    'errors',
    { cause: 'outcome', received: thrown('TypeError', 'x is not a function') },
    { cause: 'outcome', received: thrown('TypeError', 'y is not a function') },
  ],
  [
    'classes of errors',
    { cause: 'outcome', received: thrown('TypeError', 'failed') },
    { cause: 'outcome', received: thrown('RangeError', 'failed') },
  ],
  [
    'lines that throw',
    { cause: 'outcome', received: thrown('TypeError', 'failed'), site },
    { cause: 'outcome', received: thrown('TypeError', 'failed'), site: { ...site, line: 50 } },
  ],
  [
    'reasons for a missing call',
    { cause: 'missing-call', boundary: 'tool', name: 'send_mail', received: thrown('TypeError', 'x is not a function') },
    { cause: 'missing-call', boundary: 'tool', name: 'send_mail', received: thrown('TypeError', 'y is not a function') },
  ],
]

it.each(failures)('keeps apart different %s', (_what, one, other) => {
  expect(groupReports([stopped(one, 'a'), stopped(other, 'b')])).toHaveLength(2)
  expect(groupReports([stopped(one, 'a'), stopped(one, 'b')])).toHaveLength(1)
})

it('keeps apart goldens that differ in the same way first, of which one also loses a call', () => {
  const drops = (path: string): Divergence =>
    buildDivergence({
      cause: 'missing-call',
      step: 7,
      boundary: 'http',
      name: 'api.example.com',
      expected: http('POST', path),
      consequence: true,
    })
  const report = (name: string, ...consequences: Divergence[]): Report => ({ ...stopped({}, name), consequences })
  expect(groupReports([report('a', drops('/charge')), report('b', drops('/mail')), report('c')])).toHaveLength(3)
  const longer = { ...drops('/charge'), step: 9 }
  expect(groupReports([report('a', drops('/charge')), report('b', longer), report('c', longer, longer)])).toHaveLength(1)
})

function thrown(name: string, message: string): unknown {
  return { error: { name, message } }
}
