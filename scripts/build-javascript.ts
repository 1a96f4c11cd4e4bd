import { isAbsolute } from 'node:path'
import { build } from 'rolldown'
import { readEntries } from './entries.ts'

/** Builds the package's JavaScript into a directory: one file an entry, and shared chunks. */
export async function buildJavaScript(directory: string): Promise<void> {
  await build({
    input: readEntries(),
    platform: 'node',
    // Everything that is not a file of our own: node builtins, dependencies, peers.
    external: (id) => !id.startsWith('.') && !isAbsolute(id),
    output: {
      dir: directory,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
    },
  })
}
