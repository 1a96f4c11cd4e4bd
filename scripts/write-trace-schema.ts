import { mkdirSync, writeFileSync } from 'node:fs'

import { toReportJsonSchema } from '../src/divergence/report/json-schema.ts'
import { toJsonSchema } from '../src/trace/schema.ts'

// Writes docs/trace.schema.json and docs/report.schema.json, the published forms of the schemas. Tests hold that they are current.
const schemas = { trace: toJsonSchema(), report: toReportJsonSchema() }
for (const [name, schema] of Object.entries(schemas)) {
  const file = new URL(`../docs/${name}.schema.json`, import.meta.url)
  mkdirSync(new URL('.', file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`)
}
