/**
 * Loads the probes before goldenrun, or after a recorder was made (`late`), tries each, and tells which of them a replay gave what was recorded: prints
 * it, or writes it to the file that `PROBES_FOUND` names.
 */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { loadTools, type Probes, tryProbes } from './find-open.ts'

const isLate = process.argv[2] === 'late'
const recorder = isLate ? (await loadTools()).createRecorder({ store: tmpdir() }) : undefined
const commonJs: Probes = createRequire(import.meta.url)('./probes.cjs')
const modules: Probes = await import(new URL('probes.mjs', import.meta.url).href)
const tools = await loadTools()

const found = JSON.stringify({ modules: await tryProbes(modules, tools), commonJs: await tryProbes(commonJs, tools) })
const file = process.env['PROBES_FOUND']
if (file === undefined) console.log(found)
else writeFileSync(file, found)
await recorder?.close()
