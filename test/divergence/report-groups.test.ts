import { expect, it } from 'vitest'
import { compareInputs } from '../../src/divergence/compare-inputs.ts'
import type { Report } from '../../src/divergence/report/report.ts'
import { groupReports } from '../../src/divergence/report/group-reports.ts'
import { groupsToMarkdown, groupsToTerminal } from '../../src/divergence/report/print-groups.ts'
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
