import { readFileSync } from 'node:fs'
import { builtInRules } from '../src/record/redaction/built-in-rules.ts'
import { createRedactor } from '../src/record/redaction/redactor.ts'
import { findStandIns } from '../src/record/redaction/stand-in.ts'
import { readdirSync } from 'node:fs'
const dir = '/work/shared/data/tau-bench/dev'
const texts = readdirSync(dir).slice(0, 8).map((f) => readFileSync(`${dir}/${f}`, 'utf8'))
const chars = texts.reduce((s, t) => s + t.length, 0)
const time = (name: string, fn: (t: string) => void): void => {
  for (let i = 0; i < 5; i++) texts.forEach(fn)
  const runs = 20
  const t = process.cpuUsage()
  for (let i = 0; i < runs; i++) texts.forEach(fn)
  console.log(name.padEnd(20), (process.cpuUsage(t).user * 1e3 / runs / chars).toFixed(2), 'ns/char')
}
console.log(chars)
for (const rule of builtInRules) time(rule.name, (t) => { if (rule.hint.test(t)) for (const _ of rule.find(t)); })
const r = createRedactor()
time('text', (t) => r.text(t))
time('findStandIns', (t) => findStandIns(t))
time('JSON.parse', (t) => JSON.parse(t))
const parsed = texts.map((t) => JSON.parse(t))
const map = new Map(texts.map((t, i) => [t, parsed[i]]))
time('value', (t) => r.value(map.get(t)))
time('stringify', (t) => JSON.stringify(map.get(t)))

const rs = r.ruleSet
time('hint', (t) => rs.hint!.test(t))
const leaves: string[] = []
const walk = (v: unknown): void => { if (typeof v === 'string') leaves.push(v); else if (v && typeof v === 'object') Object.values(v).forEach(walk) }
parsed.forEach(walk)
console.log(leaves.length, 'leaves', leaves.filter((l) => rs.hint!.test(l)).length, 'hinted', leaves.filter((l) => rs.hint!.test(l)).reduce((a, l) => a + l.length, 0))
{ const t = process.cpuUsage(); for (let i = 0; i < 20; i++) leaves.forEach((l) => rs.hint!.test(l)); console.log('hint leaves', process.cpuUsage(t).user * 1e3 / 20 / chars) }
