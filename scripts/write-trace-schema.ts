import { mkdirSync, writeFileSync } from 'node:fs'

import { toJsonSchema } from '../src/trace/schema.ts'

// Writes docs/trace.schema.json, the published form of the trace's schema. A test holds that it is current.
const file = new URL('../docs/trace.schema.json', import.meta.url)
mkdirSync(new URL('.', file), { recursive: true })
writeFileSync(file, `${JSON.stringify(toJsonSchema(), null, 2)}\n`)
