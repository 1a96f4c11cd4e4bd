import { writeFileSync } from 'node:fs'

import { toReportJsonSchema } from '../src/divergence/report/json-schema.ts'
import { toJsonSchema, toRowShape } from '../src/trace/schema.ts'

// Writes docs/trace.schema.json and docs/report.schema.json, the published forms of the schemas, and what rows are looked at by when a trace is
// read. Tests hold that they are current.
const schemas = {
  'docs/trace.schema.json': toJsonSchema(),
  'docs/report.schema.json': toReportJsonSchema(),
  'src/trace/row-shape.json': toRowShape(),
}
for (const [path, schema] of Object.entries(schemas)) {
  const file = new URL(`../${path}`, import.meta.url)
  writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`)
}
