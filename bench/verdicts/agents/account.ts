import type { Context } from './context.ts'

/** Request headers, by name. */
export type Headers = Readonly<Record<string, string>>

/** The tokens that an agent gets when it logs in. */
export interface Tokens {
  /** For looking. */
  readonly access: string
  /** For changing. */
  readonly admin: string
}

/** The headers of an agent's requests to the service that keeps its account. */
export interface AccountHeaders {
  login(): Headers
  read(tokens: Tokens): Headers
  /** @param user The token of the user for whom the account is changed. */
  change(tokens: Tokens, user: string): Headers
}

/** Logs in, reads the agent's account, and changes it. */
export async function visitAccount({ services }: Context, headers: AccountHeaders, user: string): Promise<void> {
  const ask = async (method: string, path: string, sent: Headers, body?: object): Promise<Record<string, string>> => {
    const response = await fetch(`${services}${path}`, { method, headers: sent, ...(body && { body: JSON.stringify(body) }) })
    return (await response.json()) as Record<string, string>
  }
  const { access_token: access = '', admin_token: admin = '' } = await ask('POST', '/login', headers.login(), { lasts: '1h' })
  await ask('GET', '/account', headers.read({ access, admin }))
  await ask('PATCH', '/account', headers.change({ access, admin }, user), { seen: true })
}
