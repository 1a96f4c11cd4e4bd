import { type AgentHeaders, headerChanges } from './header-changes.ts'
import type { Mutation } from './mutation.ts'

const support: AgentHeaders = {
  operation: ["'x-amz-target': 'Desk_2024.GetAccount'", "'x-amz-target': 'Desk_2024.DeleteAccount'"],
  tenant: ["'x-tenant': 'shop-1'", "'x-tenant': 'shop-2'"],
  range: ["range: 'items=0-24'", "range: 'items=0-9'"],
  preference: ["prefer: 'return=representation'", "prefer: 'return=minimal'"],
  accept: ["accept: 'application/json'", "accept: 'text/csv'"],
  language: ["'accept-language': 'en'", "'accept-language': 'de'"],
  beta: ["'x-beta-features': 'notes'", "'x-beta-features': 'notes, bulk'"],
  contentType: ["'content-type': 'application/merge-patch+json'", "'content-type': 'application/json'"],
  precondition: [`'if-match': '"3"'`, `'if-match': '*'`],
  idempotency: ["'idempotency-key': crypto.randomUUID()", "'idempotency-key': 'change-1'"],
  custom: ["'x-priority': 'normal'", "'x-priority': 'urgent'"],
  telemetry: ["'user-agent': 'desk-client/2.1.0'", "'user-agent': 'desk-client/2.2.0'"],
  trace: [
    "traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'",
    "traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'",
  ],
  key: ["'x-api-key': process.env['DESK_API_KEY'] ?? ''", 'DESK_API_KEY', 'DESK_ADMIN_KEY'],
  tokens: ['authorization: `Bearer ${access}`', 'authorization: `Bearer ${admin}`', "'x-user-token': user"],
}

const research: AgentHeaders = {
  operation: [`soapaction: '"urn:library#GetAccount"'`, `soapaction: '"urn:library#CloseAccount"'`],
  tenant: ["'openai-organization': 'org-library'", "'openai-organization': 'org-archive'"],
  range: ["range: 'bytes=0-1023'", "range: 'bytes=0-4095'"],
  preference: ["prefer: 'count=exact'", "prefer: 'count=planned'"],
  accept: ["accept: 'application/vnd.library.v2+json'", "accept: 'application/vnd.library.v3+json'"],
  language: ["'accept-language': 'de-CH, de;q=0.8'", "'accept-language': 'de-CH, fr;q=0.8'"],
  beta: ["'anthropic-beta': 'files-2025-04-14'", "'anthropic-beta': 'files-2025-09-01'"],
  contentType: [`'content-type': 'application/json; profile="account"'`, `'content-type': 'application/json; profile="reader"'`],
  precondition: ["'if-unmodified-since': 'Sat, 01 Feb 2025 10:00:00 GMT'", "'if-unmodified-since': 'Sun, 02 Feb 2025 10:00:00 GMT'"],
  idempotency: ["'x-idempotency-key': crypto.randomUUID()", "'x-idempotency-key': 'change-1'"],
  custom: ["'x-depth': '2'", "'x-depth': '20'"],
  telemetry: ["'x-client-info': 'library-js/3.0.1'", "'x-client-info': 'library-js/3.1.0'"],
  trace: [
    "'sentry-trace': '771a43a4192642f0b136d5159a501700-7c51afd529da4a2a'",
    "'sentry-trace': '5fc1a3a4192642f0b136d5159a50bbaa-11d1afd529da4a2b'",
  ],
  key: ["authorization: `Bearer ${process.env['LIBRARY_TOKEN'] ?? ''}`", 'LIBRARY_TOKEN', 'ARCHIVE_TOKEN'],
  tokens: ["'x-auth-token': access", "'x-auth-token': admin", "'x-reader-token': user"],
}

const coding: AgentHeaders = {
  operation: ["'x-http-method-override': 'GET'", "'x-http-method-override': 'DELETE'"],
  tenant: ["'x-organization-id': '4711'", "'x-organization-id': '4712'"],
  range: ["range: 'lines=1-200'", "range: 'lines=1-20'"],
  preference: ["prefer: 'respond-async'", "prefer: 'wait=10'"],
  accept: ["accept: 'application/vnd.forge.diff'", "accept: 'application/vnd.forge.patch'"],
  language: ["'accept-language': 'en-GB'", "'accept-language': 'en-US'"],
  beta: ["'x-forge-beta': 'merge-trains'", "'x-forge-beta': 'merge-queues'"],
  contentType: ["'content-type': 'application/json-patch+json'", "'content-type': 'application/merge-patch+json'"],
  precondition: [`'if-match': 'W/"a1b2"'`, `'if-match': 'W/"a1b3"'`],
  idempotency: ["'idempotency-key': crypto.randomUUID()", "'idempotency-key': 'change-1'"],
  custom: ["'x-dry-run': 'no'", "'x-dry-run': 'yes'"],
  telemetry: ["'user-agent': 'forge-cli/1.4'", "'user-agent': 'forge-cli/1.5'"],
  trace: ["'x-amzn-trace-id': 'Root=1-67891233-abcdef012345678912345678'", "'x-amzn-trace-id': 'Root=1-67891299-fedcba987654321012345678'"],
  key: ["'private-token': process.env['FORGE_TOKEN'] ?? ''", 'FORGE_TOKEN', 'REGISTRY_TOKEN'],
  tokens: ['authorization: `token ${access}`', 'authorization: `token ${admin}`', "'x-session-token': user"],
}

const payments: AgentHeaders = {
  operation: ["'x-operation': 'balance.read'", "'x-operation': 'balance.sweep'"],
  tenant: ["'stripe-account': 'acct_1001'", "'stripe-account': 'acct_1002'"],
  range: ["range: 'records=0-9'", "range: 'records=0-99'"],
  preference: ["prefer: 'handling=strict'", "prefer: 'handling=lenient'"],
  accept: ["accept: 'application/json'", "accept: 'application/pdf'"],
  language: ["'accept-language': 'fr'", "'accept-language': 'it'"],
  beta: ["'openai-beta': 'assistants=v2'", "'openai-beta': 'assistants=v1'"],
  contentType: ["'content-type': 'application/json; version=2'", "'content-type': 'application/json; version=1'"],
  precondition: [`'if-match': '"balance-12"'`, `'if-match': '"balance-13"'`],
  idempotency: ["'paypal-request-id': crypto.randomUUID()", "'paypal-request-id': 'change-1'"],
  custom: ["'x-booking-mode': 'preview'", "'x-booking-mode': 'final'"],
  telemetry: [
    `'x-stripe-client-user-agent': '{"bindings_version":"17.4.0"}'`,
    `'x-stripe-client-user-agent': '{"bindings_version":"17.5.0"}'`,
  ],
  trace: ["b3: '80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-1'", "b3: '0'"],
  key: ["'bank-api-key': process.env['BANK_SECRET_KEY'] ?? ''", 'BANK_SECRET_KEY', 'LEDGER_SECRET_KEY'],
  tokens: ['authorization: `Bearer ${access}`', 'authorization: `Bearer ${admin}`', "'x-customer-token': user"],
}

const framework: AgentHeaders = {
  operation: ["'x-rpc-method': 'trips.Account/Read'", "'x-rpc-method': 'trips.Account/Merge'"],
  tenant: ["'content-profile': 'travel'", "'content-profile': 'business'"],
  range: ["range: 'pages=1-2'", "range: 'pages=1-9'"],
  preference: ["prefer: 'odata.maxpagesize=20'", "prefer: 'odata.maxpagesize=200'"],
  accept: ["accept: 'application/json;odata.metadata=minimal'", "accept: 'application/json;odata.metadata=full'"],
  language: ["'accept-language': 'nl-BE'", "'accept-language': 'fr-BE'"],
  beta: ["'x-preview-features': 'night-trains'", "'x-preview-features': 'ferries'"],
  contentType: ["'content-type': 'application/json;charset=utf-8'", "'content-type': 'application/json;charset=iso-8859-1'"],
  precondition: ["'if-none-match': '*'", `'if-none-match': '"7"'`],
  idempotency: ["'x-idempotency-key': crypto.randomUUID()", "'x-idempotency-key': 'change-1'"],
  custom: ["'x-currency': 'EUR'", "'x-currency': 'USD'"],
  telemetry: ["'x-goog-api-client': 'gl-node/22.15.0 trips/0.9'", "'x-goog-api-client': 'gl-node/24.1.0 trips/1.0'"],
  trace: ["'x-datadog-trace-id': '5208512171318403364'", "'x-datadog-trace-id': '1208512171318403361'"],
  key: ["'x-goog-api-key': process.env['TRIPS_API_KEY'] ?? ''", 'TRIPS_API_KEY', 'LETTERS_API_KEY'],
  tokens: ['cookie: `session=${access}`', 'cookie: `session=${admin}`', "'x-traveller-token': user"],
}

/** The changes of each agent's request headers, by its name. */
export const HEADER_CHANGES: Readonly<Record<'support' | 'research' | 'coding' | 'payments' | 'framework', readonly Mutation[]>> = {
  support: headerChanges(support),
  research: headerChanges(research),
  coding: headerChanges(coding),
  payments: headerChanges(payments),
  framework: headerChanges(framework),
}
