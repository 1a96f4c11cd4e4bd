import type { AccountHeaders } from '../account.ts'

/** How the agent asks for its account at the bank. */
export const headers: AccountHeaders = {
  login: () => ({
    'bank-api-key': process.env['BANK_SECRET_KEY'] ?? '',
    'content-type': 'application/json',
    'x-stripe-client-user-agent': '{"bindings_version":"17.4.0"}',
  }),
  read: ({ access }) => ({
    authorization: `Bearer ${access}`,
    'x-operation': 'balance.read',
    'stripe-account': 'acct_1001',
    range: 'records=0-9',
    prefer: 'handling=strict',
    accept: 'application/json',
    'accept-language': 'fr',
    'openai-beta': 'assistants=v2',
    b3: '80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-1',
  }),
  change: ({ admin }, user) => ({
    authorization: `Bearer ${admin}`,
    'x-customer-token': user,
    'content-type': 'application/json; version=2',
    'if-match': '"balance-12"',
    'paypal-request-id': crypto.randomUUID(),
    'x-booking-mode': 'preview',
  }),
}
