import { checkRetentionOptions, type RetentionOptions } from '../stores/retention.ts'
import { checkKnownOptions } from '../trace/errors/options-error.ts'
import { ObjectStore } from './object-store.ts'
import { type S3RequestOptions, S3ObjectStorage } from './storage/s3-object-storage.ts'
import { toS3Location } from './storage/s3-location.ts'

/** How recordings are kept in a bucket. */
export interface S3StoreOptions {
  /** `s3://bucket/prefix?endpoint=https://…&region=…`. */
  readonly url: string
  /** What retention tells apart: runs of different rules are in different packs. Default: failed, flagged, test and successful runs. */
  readonly retention?: RetentionOptions
  /** How often a request is tried before it fails. Default: 6. */
  readonly attempts?: number
  /** How long a request may take, in milliseconds. Default: 30000. */
  readonly timeout?: number
}

/**
 * A store in a bucket of S3, or of anything compatible with it. Credentials come from the environment only: `AWS_ACCESS_KEY_ID`,
 * `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`. Needs the packages `aws4fetch`, `hyparquet` and `hyparquet-writer`.
 *
 * A run that is recorded into it is in memory until it ends. Production records into a directory, from which `goldenrun ship` moves runs
 * to the bucket, a hundred in a pack.
 *
 * @param options A URL, `s3://bucket/prefix?endpoint=https://…&region=…`, or an object with it.
 * @throws StorageError for an invalid URL.
 * @example
 * const store = createS3Store('s3://recordings/support?region=eu-central-1')
 */
export function createS3Store(options: string | S3StoreOptions): ObjectStore {
  const { url, retention, ...requests } = typeof options === 'string' ? { url: options } : options
  if (typeof options !== 'string') checkKnownOptions('createS3Store', options, ['url', 'retention', 'attempts', 'timeout'])
  checkRetentionOptions('createS3Store', retention)
  return new ObjectStore(new S3ObjectStorage(toS3Location(url), requests satisfies S3RequestOptions), retention)
}
