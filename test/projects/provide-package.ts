import type { TestProject } from 'vitest/node'
import { packPackage } from '../support/pack-package.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The packed package, as an absolute path. */
    tarball: string
  }
}

/** Packs the package once for all projects. */
export default async function providePackage({ provide }: TestProject): Promise<() => Promise<void>> {
  const packed = await packPackage()
  provide('tarball', packed.tarball)
  return async () => await packed[Symbol.asyncDispose]()
}
