import twilio from 'twilio'

export const keys = ['TWILIO_AUTH_TOKEN']

export function answer({ url }) {
  const verification = { sid: 'VE00000000000000000000000000000001', to: 'ada@mail.example', channel: 'email', status: 'pending' }
  if (url.includes('VerificationCheck')) return { headers: { 'Twilio-Request-Id': 'RQ1' }, body: { ...verification, status: 'approved' } }
  return { status: 201, headers: { 'Twilio-Concurrent-Requests': '1' }, body: verification }
}

/** Starts the verification of an e-mail address, and checks the code with the address of the response. */
export async function agent({ base, change }) {
  const client = twilio('AC00000000000000000000000000000001', process.env.TWILIO_AUTH_TOKEN)
  const { httpClient } = client
  const request = httpClient.request.bind(httpClient)
  httpClient.request = (options) => request({ ...options, uri: options.uri.replace(/^https:\/\/[^/]+/, base) })
  const { verifications, verificationChecks } = client.verify.v2.services('VA00000000000000000000000000000001')
  const { to } = await verifications.create({ to: 'ada@mail.example', channel: change === 'another channel' ? 'sms' : 'email' })
  const { status } = await verificationChecks.create({ to, code: change === 'another code' ? '000000' : '123456' })
  return [status, httpClient.lastResponse.headers['twilio-request-id']]
}
