export { createTieredStore } from './fleet/tiered-store.ts'
export type { TieredStore, TieredStoreOptions } from './fleet/tiered-store.ts'
export { createDirectoryStore } from './stores/directory-store.ts'
export type { DirectoryStore } from './stores/directory-store.ts'
export { findRepeatedEffects } from './stores/repeated-effects.ts'
export type { EffectRun, RepeatedEffect, RunEffect, RunQuery, RunSample, RunStatus, RunSummary } from './stores/run-summary.ts'
export type {
  FoundEffects,
  FoundRuns,
  Lease,
  ListQuery,
  OnStoreFailure,
  StoredLog,
  StoredTrace,
  TraceStore,
  TraceWriter,
} from './stores/trace-store.ts'
export { createEncoder } from './trace/codec/encoder.ts'
export type { Encoder, EncoderOptions } from './trace/codec/encoder.ts'
export { createSecretDirectory } from './stores/secrets/secret-store.ts'
export type { AuditEntry, SecretStore } from './stores/secrets/secret-store.ts'
export type { KeyText, SecretKey } from './stores/secrets/secret-keys.ts'
export { reencryptSecrets } from './stores/secrets/kept-secrets.ts'
export type { SecretsOptions } from './stores/secrets/secrets-options.ts'
