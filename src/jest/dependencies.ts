export { cacheKey as getCacheKey, extractDependencies as extract } from './golden-dependencies.ts'
export type { ExtractDependencies } from './golden-dependencies.ts'
