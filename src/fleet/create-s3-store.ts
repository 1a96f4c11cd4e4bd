import { checkRetentionOptions, type RetentionOptions } from '../stores/retention.ts'
import { checkKnownOptions } from '../trace/errors/options-error.ts'
import { ObjectStore } from './object-store.ts'
import { type S3RequestOptions, S3ObjectStorage } from './storage/s3-object-storage.ts'
import { toS3Location } from './storage/s3-location.ts'

/** How recordings are kept in a bucket. */
export interface S3StoreOptions {
  /** `s3://bucket/prefix?endpoint=https://…&region=…`. */
  readonly url: string
  /** The retention rules: runs under different rules go into different packs. Default: failed, flagged, test and successful runs. */
  readonly retention?: RetentionOptions
  /** The number of attempts before a request fails. Default: 6. */
  readonly attempts?: number
  /** How long a request may take, in milliseconds. Default: 30000. */
  readonly timeout?: number
}

/**
 * Creates a store in a bucket of S3 or a compatible service. Credentials come from the environment only: `AWS_ACCESS_KEY_ID`,
 * `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`. Needs the packages `aws4fetch`, `hyparquet` and `hyparquet-writer`.
 *
 * A run that is recorded directly into the bucket stays in memory until it ends. In production, record into a directory; `goldenrun ship` moves the
 * runs to the bucket, a hundred per pack.
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
