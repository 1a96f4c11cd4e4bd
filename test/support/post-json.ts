import type { LookupFunction } from 'node:net'
import { httpRequest } from './http-request.ts'

/** Resolves every host to this machine, so that a request keeps the URL of a hosted service and still goes to a server of the test. */
const toLoopback: LookupFunction = (_host, { all }, callback) => {
  if (all === true) callback(null, [{ address: '127.0.0.1', family: 4 }])
  else callback(null, '127.0.0.1', 4)
}

/** Posts JSON to a server on this machine, whatever its URL's host. */
export async function postJson(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const sent = { 'content-type': 'application/json', ...headers }
  const answer = await httpRequest(url, { method: 'POST', lookup: toLoopback, headers: sent, body: [JSON.stringify(body)] })
  return JSON.parse(answer.body.toString())
}
