import { maskUrl } from '../../stores/mask-url.ts'
import { StorageError } from '../errors/storage-error.ts'

/** Where a bucket is. */
export interface S3Location {
  readonly bucket: string
  /** The prefix of all keys: empty, or ending with a slash. */
  readonly prefix: string
  readonly region: string
  /** The URL that keys are appended to. */
  readonly base: string
  /** Its URL without credentials, for messages. */
  readonly place: string
}

/** The credentials that sign a request. */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/**
 * Parses `s3://bucket/prefix?endpoint=…&region=…`. An endpoint or a region missing in the URL comes from `AWS_ENDPOINT_URL_S3` or
 * `AWS_ENDPOINT_URL`, and from `AWS_REGION` or `AWS_DEFAULT_REGION`.
 *
 * @throws StorageError for a URL that is invalid or holds credentials.
 */
export function toS3Location(text: string): S3Location {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const shown = maskUrl(text)
  const refuse = (why: string): StorageError => new StorageError({ problem: 'refused', place: shown, message: `${shown}: ${why}` })
  if (url?.protocol !== 's3:' || url.hostname === '')
    throw refuse('this is not the URL of a bucket. It has to look like s3://bucket/prefix')
  if (url.username !== '' || url.password !== '')
    throw refuse('credentials do not belong in a URL. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')
  for (const name of url.searchParams.keys())
    if (name !== 'endpoint' && name !== 'region') throw refuse(`"${name}" is not known. It takes: endpoint, region.`)
  const endpoint = url.searchParams.get('endpoint') ?? process.env['AWS_ENDPOINT_URL_S3'] ?? process.env['AWS_ENDPOINT_URL']
  const region = url.searchParams.get('region') ?? process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'] ?? 'us-east-1'
  if (endpoint !== undefined && !isHttpUrl(endpoint)) throw refuse('the endpoint has to be a URL that begins with https:// or http://')
  if (endpoint !== undefined && hasCredentials(endpoint))
    throw refuse('credentials do not belong in the URL of an endpoint. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')
  const bucket = url.hostname
  const path = decodeURIComponent(url.pathname).replaceAll(/^\/+|\/+$/g, '')
  return {
    bucket,
    prefix: path === '' ? '' : `${path}/`,
    region,
    base: endpoint === undefined ? amazonBase(bucket, region) : `${endpoint.replace(/\/+$/, '')}/${bucket}/`,
    place: shown,
  }
}

/**
 * Reads the credentials from the environment. Called for each request, since they may be renewed.
 *
 * @throws StorageError if there are none.
 */
export function readS3Credentials(place: string): S3Credentials {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = process.env
  // An empty variable counts as unset.
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) }
  const message =
    `${place}: there are no credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN if they have one.\n` +
    'To export the credentials of a profile or a role: eval "$(aws configure export-credentials --format env)"'
  throw new StorageError({ problem: 'no-credentials', place, message })
}

function amazonBase(bucket: string, region: string): string {
  // The certificate of the host covers only one label.
  return bucket.includes('.') ? `https://s3.${region}.amazonaws.com/${bucket}/` : `https://${bucket}.s3.${region}.amazonaws.com/`
}

function hasCredentials(text: string): boolean {
  const { username, password } = new URL(text)
  return username !== '' || password !== ''
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}
