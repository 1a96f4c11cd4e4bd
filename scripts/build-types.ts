import { relative } from 'node:path'
import { build } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { readLibraryEntries } from './entries.ts'

/**
 * Builds the package's declarations into a directory: one file per entry, and shared declarations in `types/`. Each file of `src` declares its types
 * itself (`isolatedDeclarations`), so no compiler is needed.
 */
export async function buildTypes(directory: string): Promise<void> {
  await build({
    input: readLibraryEntries(),
    platform: 'node',
    external: (id) => /^[^./]/.test(id) && !/^[A-Z]:/i.test(id),
    plugins: [dts({ generator: 'oxc', emitDtsOnly: true, tsconfig: false })],
    checks: { bundlerTimings: false },
    output: {
      dir: directory,
      format: 'esm',
      entryFileNames: ({ facadeModuleId }) => nameOf(facadeModuleId ?? ''),
      chunkFileNames: 'types/[name].d.ts',
    },
  })
}

/** Each entry's declarations come with a file of JavaScript, which is left out. */
function nameOf(module: string): string {
  const path = relative('src', module).replaceAll('\\', '/')
  return path.endsWith('.d.ts') ? path : path.replace(/\.ts$/, '.js')
}
