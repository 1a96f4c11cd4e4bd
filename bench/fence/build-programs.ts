import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/**
 * Builds the programs of measured processes, so that no process strips types: that takes longer than the work of some workloads, and memory that V8
 * collects.
 *
 * @param folder Where the programs are written: `workload-program.js` and `record-goldens.js`.
 */
export async function buildPrograms(folder: string): Promise<void> {
  const input = ['workload-program.ts', 'record-goldens.ts'].map((file) => fileURLToPath(new URL(file, import.meta.url)))
  const bundle = await rolldown({ input, platform: 'node' })
  await bundle.write({ dir: folder, format: 'esm' })
  await bundle.close()
}
