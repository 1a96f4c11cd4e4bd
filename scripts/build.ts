/** Builds `dist`: JavaScript by rolldown, one file an entry and shared chunks, and declarations by tsc. */
import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { buildJavaScript } from './build-javascript.ts'

rmSync('dist', { recursive: true, force: true })

await buildJavaScript('dist')
chmodSync('dist/cli.js', 0o755)

execFileSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit', shell: process.platform === 'win32' })
