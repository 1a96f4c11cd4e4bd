export { storeChecks } from './stores/conformance/store-checks.ts'
export type { StoreFault } from './stores/conformance/fault-checks.ts'
export type { Capability, CheckedStore, StoreCheck } from './stores/conformance/store-checks.ts'
export type { FoundRuns, StoredTrace, TraceStore, TraceWriter } from './stores/trace-store.ts'
