/** Builds `dist`: JavaScript, one file an entry and shared chunks; declarations, laid out the same; and how Jest's sandboxes read the JavaScript. */
import { chmodSync, rmSync } from 'node:fs'
import { bringRowCheckUpToDate } from './write-row-check.ts'
import { buildJavaScript } from './build-javascript.ts'
import { buildTypes } from './build-types.ts'

bringRowCheckUpToDate()

rmSync('dist', { recursive: true, force: true })

await buildJavaScript('dist')
await buildTypes('dist')
chmodSync('dist/cli.js', 0o755)
