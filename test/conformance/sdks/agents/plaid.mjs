import { Configuration, PlaidApi } from 'plaid'

export const keys = ['PLAID_CLIENT', 'PLAID_SECRET', 'PLAID_OTHER_CLIENT']

export const answer = () => ({ body: { accounts: [{ account_id: 'acc_1', balances: { current: 110 } }], request_id: 'r1' } })

/** Reads the balance of an account. */
export async function agent({ base, change }) {
  const { PLAID_CLIENT: own, PLAID_OTHER_CLIENT: other, PLAID_SECRET: secret } = process.env
  const headers = { 'PLAID-CLIENT-ID': change === 'another client' ? other : own, 'PLAID-SECRET': secret }
  const client = new PlaidApi(new Configuration({ basePath: base, baseOptions: { headers } }))
  const { data } = await client.accountsBalanceGet({ access_token: 'access-sandbox-1' })
  return data.accounts[0].balances.current
}
