/**
 * Holds what readers said about reports against what is right: `node bench/verdicts/readers/score-answers.ts --key <key.json> [--write]
 * <answers.json…>`. Prints each miss. `--write` keeps the answers in `answers.jsonl` beside this file.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Answer, Keyed } from './kinds.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { key: { type: 'string' }, write: { type: 'boolean', default: false } },
})
if (values.key === undefined) throw new Error('Name the key of the reports: --key <key.json>.')
const { seed, keys } = JSON.parse(readFileSync(values.key, 'utf8')) as { readonly seed: number; readonly keys: readonly Keyed[] }
const answers = new Map(
  positionals.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as Answer[]).map((answer) => [answer.report, answer]),
)

const judged = keys.map((key) => ({ key, answer: answers.get(key.report), wrong: wrongIn(key, answers.get(key.report)) }))
const misses = judged.filter(({ wrong }) => wrong.length > 0)
for (const { key, answer, wrong } of misses) {
  console.log(`${key.report}, ${key.subject}, ${key.mutation} (${key.scene}): ${wrong.join(', ')} wrong.`)
  console.log(`  right: ${key.kind}, step ${key.step}, one of ${key.lines.join(' ') || 'no line'}`)
  console.log(`  said:  ${answer === undefined ? 'nothing' : `${answer.kind}, step ${answer.step}, ${answer.line}`}`)
}
const kinds = Map.groupBy(judged, ({ key }) => key.kind)
for (const [kind, some] of kinds) console.log(`${kind}: ${some.filter(({ wrong }) => wrong.length === 0).length} of ${some.length}`)
console.log(`${judged.length - misses.length} of ${judged.length} right.`)
if (values.write) {
  const rows = judged.map(({ key, answer, wrong }) => JSON.stringify({ ...key, lines: undefined, answer, wrong }))
  writeFileSync(path.join(import.meta.dirname, 'answers.jsonl'), [JSON.stringify({ seed }), ...rows, ''].join('\n'))
}

function wrongIn({ kind, step, lines }: Keyed, answer: Answer | undefined): string[] {
  if (answer === undefined) return ['all']
  const isLineRight = lines.length === 0 || lines.includes(path.basename(answer.line))
  return [...(answer.kind === kind ? [] : ['kind']), ...(answer.step === step ? [] : ['step']), ...(isLineRight ? [] : ['line'])]
}
