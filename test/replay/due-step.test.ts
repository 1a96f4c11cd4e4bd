import { expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { reportDivergences } from '../../src/divergence/create-report.ts'
import type { ReportedRun } from '../../src/divergence/report/reported-run.ts'
import { compareRuns } from '../../src/replay/compare/compare-runs.ts'
import { toReportedRun } from '../../src/replay/compare/to-reported-run.ts'
import { replay } from '../../src/replay/replay.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'

const tell = tool('tell', { effect: 'read' }, async (words: string) => words.length)

let isExtraInside = false
const look = tool('look', { effect: 'read' }, async (url: string) => {
  if (isExtraInside) await tell('something else')
  return (await fetch(url)).status
})

/** Replays a run of two tools, each of which makes a request, with one call more. */
async function expectedWith(extra: 'between' | 'inside'): Promise<string | undefined> {
  await using server = await listen(async (_request, response) => void response.end('yes'))
  const agent = async (isExtra: boolean): Promise<void> => {
    await look(server.url)
    if (isExtra) await tell('something else')
    await look(server.url)
  }
  const { trace } = await recordRun(() => agent(false))
  expect(trace.steps.map(({ boundary, owner }) => [boundary, owner])).toEqual([
    ['tool', 0],
    ['http', 1],
    ['tool', 0],
    ['http', 3],
  ])
  isExtraInside = extra === 'inside'
  try {
    return expectedOf(await replay(trace, () => agent(extra === 'between'), { tools: { look: extra === 'inside' ? 'run' : 'stub' } }))
  } finally {
    isExtraInside = false
  }
}

function expectedOf(run: ReportedRun): string | undefined {
  return reportDivergences(run).facts.flatMap((fact) => (fact.kind === 'lines' ? [fact.expected] : []))[0]
}

it('expects the next call of the agent, and none that an answered tool made in its body', async () => {
  expect(await expectedWith('between')).toMatch(/^step 3, look\(/)
})

it('expects the next call within a tool whose body runs', async () => {
  expect(await expectedWith('inside')).toMatch(/^step 2, GET /)
})

it('names what the first of two runs did next where the second made another call', async () => {
  const runs = [
    ['a', 'b'],
    ['a', 'x', 'b'],
  ].map((words) =>
    recordRun(async () => {
      for (const each of words) await tell(each)
    }),
  )
  const [a, b] = await Promise.all(runs.map(async (run) => (await run).trace))
  if (a === undefined || b === undefined) throw new Error('There are two runs.')
  expect(expectedOf(toReportedRun(await compareRuns(a, b)))).toBe('step 2, tell("b")')
})
