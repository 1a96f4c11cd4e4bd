/** Builds `dist`: JavaScript with one file per entry and shared chunks, declarations in the same layout, and the edits for Jest's sandboxes. */
import { chmodSync, rmSync } from 'node:fs'
import { bringRowCheckUpToDate } from './write-row-check.ts'
import { buildJavaScript } from './build-javascript.ts'
import { buildTypes } from './build-types.ts'

bringRowCheckUpToDate()

rmSync('dist', { recursive: true, force: true })

await buildJavaScript('dist')
await buildTypes('dist')
chmodSync('dist/cli.js', 0o755)
