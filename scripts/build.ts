/** Builds `dist`: JavaScript by rolldown, one file an entry and shared chunks, and declarations by tsc. */
import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { build } from 'rolldown'
import { readEntries } from './entries.ts'

rmSync('dist', { recursive: true, force: true })

await build({
  input: readEntries(),
  platform: 'node',
  // Everything that is not a file of our own: node builtins, dependencies, peers.
  external: (id) => !id.startsWith('.') && !isAbsolute(id),
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  },
})
chmodSync('dist/cli.js', 0o755)

execFileSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit', shell: process.platform === 'win32' })
