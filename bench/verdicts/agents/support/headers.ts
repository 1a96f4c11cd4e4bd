import type { AccountHeaders } from '../account.ts'

/** How the desk asks for its account. */
export const headers: AccountHeaders = {
  login: () => ({
    'x-api-key': process.env['DESK_API_KEY'] ?? '',
    'content-type': 'application/json',
    'user-agent': 'desk-client/2.1.0',
    'x-stainless-runtime-version': 'v22.15.0',
  }),
  read: ({ access }) => ({
    authorization: `Bearer ${access}`,
    'x-amz-target': 'Desk_2024.GetAccount',
    'x-tenant': 'shop-1',
    range: 'items=0-24',
    prefer: 'return=representation',
    accept: 'application/json',
    'accept-language': 'en',
    'x-beta-features': 'notes',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  }),
  change: ({ admin }, user) => ({
    authorization: `Bearer ${admin}`,
    'x-user-token': user,
    'content-type': 'application/merge-patch+json',
    'if-match': '"3"',
    'idempotency-key': crypto.randomUUID(),
    'x-priority': 'normal',
  }),
}
