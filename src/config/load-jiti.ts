import type { createJiti } from 'jiti'

/**
 * Loads the TypeScript runner on first use. The build replaces the package with `dist/jiti` (`scripts/build-jiti.ts`), which Node itself loads, even
 * in Jest's sandbox.
 */
export async function loadJiti(): Promise<{ readonly createJiti: typeof createJiti }> {
  return await import('jiti')
}
