import { lazily, remember } from './remember.ts'
import { parseJson } from './json.ts'
import { toPathPattern } from './path-pattern.ts'
import type { HttpBody, HttpInput, HttpOutput } from './rows.ts'

/** A request that reads a prompt, flags or a setting from a store of them. A process makes it once and keeps the answer. */
export interface StoreRead {
  /** Default: `GET`. */
  readonly method?: 'POST'
  /** Of the URL: `…` is any prefix, `:name` one segment, `{a,b}` one of several. A slash may follow. */
  readonly path: string
  /** The host that has this path, subdomains included. Default: any. */
  readonly host?: string
  /** A field that the JSON of the body has. Default: none. */
  readonly field?: string
}

/**
 * The requests that are ambient by default. docs/muted.md has the same table, with the products.
 *
 * @note The viewer's page contains it, so it has no more than it needs.
 * @see https://langfuse.com/docs/prompts/get-started, https://api.smith.langchain.com/redoc, https://www.braintrust.dev/docs/reference/api
 * @see https://github.com/braintrustdata/braintrust-sdk-javascript, https://posthog.com/docs/api/flags, https://launchdarkly.com/docs/sdk
 * @see https://docs.statsig.com/server-core, https://docs.getunleash.io/reference/api, https://docs.growthbook.io/api
 * @see https://docs.flagsmith.com, https://configcat.com/docs
 */
export const storeReads: readonly StoreRead[] = [
  { path: '…/api/public/{v2/,}prompts{/:name,}' },
  { path: '{/api/v1,}/commits/:owner/:prompt/:commit' },
  { path: '…/info', host: 'smith.langchain.com' },
  { path: '…/{v1/prompt,version}', host: 'braintrust.dev' },
  { method: 'POST', path: '/api/{apikey/login,project/register}' },
  { method: 'POST', path: '…/{flags,decide}', field: 'distinct_id' },
  { path: '…/{api/feature_flag/local_evaluation,flags/definitions}' },
  { path: '…/sdk/{latest-all,flags,segments}' },
  { path: '…/{v1,v2}/download_config_specs{/:key,}' },
  { method: 'POST', path: '…/v1/{download_config_specs,get_id_lists}' },
  { path: '…/api/client/features' },
  { path: '…/api/features/sdk-:key' },
  { path: '…/api/v1/environment-document' },
  { path: '…/api/v1/{flags,identities}', host: 'flagsmith.com' },
  { method: 'POST', path: '…/api/v1/identities', field: 'traits' },
  { path: '…/configuration-files/:key/config_:version' },
]

const patterns = lazily(() => storeReads.map(({ path }) => toPathPattern(path)))

/** Returns whether a request reads from a store of prompts or flags, as far as its address tells. */
export function mayReadStore(method: string, url: string): boolean {
  return findRead(method, url) !== undefined
}

/** Returns whether a request reads from a store of prompts or flags. */
export function readsStore({ method, url, ...body }: Pick<HttpInput, 'method' | 'url'> & HttpBody): boolean {
  const read = findRead(method, url)
  return read !== undefined && (read.field === undefined || hasField(body, read.field))
}

/** Returns whether a store has answered with what was asked. */
export function isStoreAnswer(output: unknown): boolean {
  const { status = 0 } = (output ?? {}) as HttpOutput
  return status >= 200 && status < 300
}

function findRead(method: string, url: string): StoreRead | undefined {
  return readsAt(url).find(({ method: asked = 'GET' }) => asked === method)
}

const readsAt = remember((url: string): readonly StoreRead[] => {
  if (!URL.canParse(url)) return []
  const { pathname, hostname } = new URL(url)
  return storeReads.filter(
    ({ host = '' }, index) => patterns()[index]?.test(pathname) === true && (host === '' || `.${hostname}`.endsWith(`.${host}`)),
  )
})

function hasField({ json, text }: HttpBody, name: string): boolean {
  const value = json ?? (text === undefined ? undefined : parseJson(text))
  return typeof value === 'object' && value !== null && name in value
}
