import type { ClientSource } from './client.ts'
import { fetchWithDispatcher, globalFetch, kyClient, nodeFetch, whatwgFetch } from './clients/fetch.ts'
import { httpAgent, httpGet, httpRequest, httpsAgent, httpsRequest, httpWithoutAgent } from './clients/http.ts'
import { axiosClient, axiosFetchClient, gotClient } from './clients/libraries.ts'
import { undici, type UndiciMajor, type UndiciWay } from './clients/undici.ts'

/** A way out of a program. */
export interface Door {
  readonly client: ClientSource
  /** Whether it is tried over TLS. */
  readonly secure?: true
  /** Whether `npm test` tries it. */
  readonly core?: true
}

const majors: readonly UndiciMajor[] = [6, 7, 8]
const ways: readonly UndiciWay[] = ['fetch', 'request', 'stream', 'pipeline', 'Client', 'Pool', 'Agent', 'fetch + Agent']

/** All doors, by name, in the order of the table's rows. */
export const doors: Readonly<Record<string, Door>> = {
  fetch: { client: globalFetch, core: true },
  'fetch + Agent': { client: fetchWithDispatcher, core: true },
  ...Object.fromEntries(majors.flatMap((major) => ways.map((way): [string, Door] => [`undici ${major} ${way}`, undiciDoor(major, way)]))),
  'http.request': { client: httpRequest, core: true },
  'http.get': { client: httpGet },
  'http + Agent': { client: httpAgent, core: true },
  'http, no agent': { client: httpWithoutAgent },
  'https.request': { client: httpsRequest, secure: true, core: true },
  'https + Agent': { client: httpsAgent, secure: true },
  axios: { client: axiosClient, core: true },
  'axios, fetch': { client: axiosFetchClient },
  got: { client: gotClient, core: true },
  'node-fetch': { client: nodeFetch, core: true },
  ky: { client: kyClient, core: true },
  '@whatwg-node/fetch': { client: whatwgFetch, core: true },
}

function undiciDoor(major: UndiciMajor, way: UndiciWay): Door {
  const door: Door = { client: undici(major, way) }
  return way === 'request' || way === 'Client' ? { ...door, core: true } : door
}
