import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Cause } from '../../src/divergence/divergence.ts'
import { toJsonReport } from '../../src/divergence/report/json-report.ts'
import { reportSchema, toReportJsonSchema } from '../../scripts/report-schema.ts'
import { toMarkdown } from '../../src/divergence/report/markdown.ts'
import { toTerminal } from '../../src/divergence/report/to-terminal.ts'
import { buildDivergence, buildStoppedRun } from '../matchers/build-run.ts'
import { createReport } from '../../src/divergence/create-report.ts'
import { compareValues } from '../../src/divergence/compare-inputs.ts'
import { changedPrompt, reportSamples, stopped } from './report-samples.ts'

const samples = Object.entries(reportSamples).map(([name, make]) => ({ name, make }))

it.each(samples)('prints $name for a terminal', async ({ name, make }) => {
  await expect(`${toTerminal(make(), { color: false, width: 110 })}\n`).toMatchFileSnapshot(`snapshots/${name}.txt.snap`)
})

it.each(samples)('prints $name as Markdown', async ({ name, make }) => {
  await expect(`${toMarkdown(make())}\n`).toMatchFileSnapshot(`snapshots/${name}.md.snap`)
})

it.each(samples)('prints $name as JSON of the published schema', async ({ name, make }) => {
  const text = JSON.stringify(toJsonReport(make()), undefined, 2)
  const json: unknown = JSON.parse(text)
  expect(reportSchema.parse(json)).toEqual(json)
  await expect(`${text}\n`).toMatchFileSnapshot(`snapshots/${name}.json.snap`)
})

it('has a sample of every cause', () => {
  const causes: Readonly<Record<Cause, true>> = {
    input: true,
    'unexpected-call': true,
    'missing-call': true,
    order: true,
    'time-limit': true,
    outcome: true,
    checkpoint: true,
    'model-drift': true,
    'unrecorded-contact': true,
    nondeterminism: true,
  }
  const sampled = new Set(samples.flatMap(({ make }) => make().divergence?.cause ?? []))
  expect([...sampled].toSorted()).toEqual(Object.keys(causes).toSorted())
})

it('is published as it is: run node scripts/write-trace-schema.ts when this fails', () => {
  const published = readFileSync(new URL('../../docs/report.schema.json', import.meta.url), 'utf8')
  expect(published).toBe(`${JSON.stringify(toReportJsonSchema(), null, 2)}\n`)
})

it('refuses JSON that is no report', () => {
  const report = toJsonReport(stopped({}))
  expect(reportSchema.safeParse({ ...report, format: 2 }).success).toBe(false)
  expect(reportSchema.safeParse({ ...report, divergence: { ...report.divergence, cause: 'bad luck' } }).success).toBe(false)
  expect(reportSchema.safeParse({ ...report, extra: 1 }).success).toBe(false)
})

it('shows the word that changed in a prompt of 100 kB, in each form, and not the prompt', () => {
  const report = stopped(changedPrompt('thirty', 'sixty'))
  for (const text of [toTerminal(report, { color: false, width: 110 }), toMarkdown(report), JSON.stringify(toJsonReport(report))]) {
    expect(text).toContain('thirty')
    expect(text).toContain('sixty')
    expect(text.length).toBeLessThan(3000)
  }
})

it('lets nothing that was recorded break out of its Markdown', () => {
  const nasty = 'x\n````\n</details> @octocat closes #12 <img src=x> `a` [b](c)'
  const differences = compareValues({ note: nasty }, { note: `${nasty}!` })
  const divergence = buildDivergence({
    cause: 'checkpoint',
    step: 2,
    position: 'after',
    name: nasty,
    differences,
    expected: 1,
    received: 2,
  })
  const markdown = toMarkdown(createReport(buildStoppedRun(divergence, { golden: { description: nasty, expectedOutcome: nasty } })))
  const outside = withoutCode(markdown)
  expect(outside).not.toMatch(/@octocat|#12|<img|\[b\]\(c\)/)
  expect(outside.match(/<details>/g)).toHaveLength(outside.match(/<\/details>/g)?.length ?? 0)
})

/** Markdown without its code blocks, as a parser takes them: a fence is closed by one that is as long. */
function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '').replaceAll(/(`+)(?!`).+?(?<!`)\1(?!`)/g, '')
}
