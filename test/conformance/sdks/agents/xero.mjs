import { XeroClient } from 'xero-node'

export const keys = ['XERO_ACCESS_TOKEN']

export const answer = () => ({ body: { Invoices: [{ InvoiceID: 'inv_1', Status: 'PAID' }] } })

/** Reads the invoices of one of a user's organisations. */
export async function agent({ base, change }) {
  const client = new XeroClient()
  client.accountingApi.basePath = base
  client.setTokenSet({ access_token: process.env.XERO_ACCESS_TOKEN })
  const { body } = await client.accountingApi.getInvoices(change === 'another tenant' ? 'tenant-of-others' : 'tenant-of-the-shop')
  return body.invoices.map(({ status }) => status)
}
