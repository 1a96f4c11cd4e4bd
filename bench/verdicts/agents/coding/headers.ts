import type { AccountHeaders } from '../account.ts'

/** How the programmer asks for the account of its forge. */
export const headers: AccountHeaders = {
  login: () => ({
    'private-token': process.env['FORGE_TOKEN'] ?? '',
    'content-type': 'application/json',
    'user-agent': 'forge-cli/1.4',
  }),
  read: ({ access }) => ({
    authorization: `token ${access}`,
    'x-http-method-override': 'GET',
    'x-organization-id': '4711',
    range: 'lines=1-200',
    prefer: 'respond-async',
    accept: 'application/vnd.forge.diff',
    'accept-language': 'en-GB',
    'x-forge-beta': 'merge-trains',
    'x-amzn-trace-id': 'Root=1-67891233-abcdef012345678912345678',
  }),
  change: ({ admin }, user) => ({
    authorization: `token ${admin}`,
    'x-session-token': user,
    'content-type': 'application/json-patch+json',
    'if-match': 'W/"a1b2"',
    'idempotency-key': crypto.randomUUID(),
    'x-dry-run': 'no',
  }),
}
