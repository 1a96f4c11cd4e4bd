import { readdirSync, readFileSync, statSync } from 'node:fs'
import { builtInRules } from '../src/record/redaction/built-in-rules.ts'
import { createRedactor } from '../src/record/redaction/redactor.ts'
const files: string[] = []
const walk = (d: string): void => { for (const f of readdirSync(d)) { const p = `${d}/${f}`; if (statSync(p).isDirectory()) walk(p); else files.push(p) } }
walk('/work/shared/data')
const by = new Map<string, Map<string, string>>()
let bytes = 0, ms = 0
for (const file of files) {
  const text = readFileSync(file, 'utf8')
  bytes += text.length
  const t = performance.now(); const edits = createRedactor().edits(text); ms += performance.now() - t
  for (const { start, end } of edits) {
    const secret = text.slice(start, end)
    const ctx = text.slice(Math.max(0, start - 30), end + 20)
    let name = '?'
    for (const rule of builtInRules) if ([...rule.find(ctx)].length) { name = rule.name; break }
    const m = by.get(name) ?? new Map(); by.set(name, m); m.set(secret.slice(0, 80), ctx.replaceAll('\n', '⏎'))
  }
}
console.log(files.length, 'files', bytes, 'chars', Math.round(ms), 'ms', (ms * 1e6 / bytes).toFixed(1), 'ns/char')
for (const [name, m] of by) { console.log(`== ${name}: ${m.size} distinct`); for (const [, c] of [...m].slice(0, Number(process.argv[2] ?? 12))) console.log('   ', c.slice(0, 150)) }
