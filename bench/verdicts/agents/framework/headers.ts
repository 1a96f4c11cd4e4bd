import type { AccountHeaders } from '../account.ts'

/** How the planner asks for the traveller's account. */
export const headers: AccountHeaders = {
  login: () => ({
    'x-goog-api-key': process.env['TRIPS_API_KEY'] ?? '',
    'content-type': 'application/json',
    'x-goog-api-client': 'gl-node/22.15.0 trips/0.9',
  }),
  read: ({ access }) => ({
    cookie: `session=${access}`,
    'x-rpc-method': 'trips.Account/Read',
    'content-profile': 'travel',
    range: 'pages=1-2',
    prefer: 'odata.maxpagesize=20',
    accept: 'application/json;odata.metadata=minimal',
    'accept-language': 'nl-BE',
    'x-preview-features': 'night-trains',
    'x-datadog-trace-id': '5208512171318403364',
  }),
  change: ({ admin }, user) => ({
    cookie: `session=${admin}`,
    'x-traveller-token': user,
    'content-type': 'application/json;charset=utf-8',
    'if-none-match': '*',
    'x-idempotency-key': crypto.randomUUID(),
    'x-currency': 'EUR',
  }),
}
