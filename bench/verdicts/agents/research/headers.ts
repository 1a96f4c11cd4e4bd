import type { AccountHeaders } from '../account.ts'

/** How the researcher asks for the account of its library. */
export const headers: AccountHeaders = {
  login: () => ({
    authorization: `Bearer ${process.env['LIBRARY_TOKEN'] ?? ''}`,
    'content-type': 'application/json',
    'x-client-info': 'library-js/3.0.1',
  }),
  read: ({ access }) => ({
    'x-auth-token': access,
    soapaction: '"urn:library#GetAccount"',
    'openai-organization': 'org-library',
    range: 'bytes=0-1023',
    prefer: 'count=exact',
    accept: 'application/vnd.library.v2+json',
    'accept-language': 'de-CH, de;q=0.8',
    'anthropic-beta': 'files-2025-04-14',
    'sentry-trace': '771a43a4192642f0b136d5159a501700-7c51afd529da4a2a',
  }),
  change: ({ admin }, user) => ({
    'x-auth-token': admin,
    'x-reader-token': user,
    'content-type': 'application/json; profile="account"',
    'if-unmodified-since': 'Sat, 01 Feb 2025 10:00:00 GMT',
    'x-idempotency-key': crypto.randomUUID(),
    'x-depth': '2',
  }),
}
