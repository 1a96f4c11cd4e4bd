import type { createJiti } from 'jiti'

/**
 * Loads what runs TypeScript, on first use. The build puts `dist/jiti` in the place of the package (`scripts/build-jiti.ts`), which is loaded by
 * Node itself in a sandbox of Jest's, too.
 */
export async function loadJiti(): Promise<{ readonly createJiti: typeof createJiti }> {
  return await import('jiti')
}
