import { crc32 } from 'node:zlib'
import AWS from 'aws-sdk'

export const keys = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

const answered = (body) => ({
  type: 'application/x-amz-json-1.0',
  headers: { 'x-amz-crc32': crc32(JSON.stringify(body)), 'x-amzn-requestid': `r-${tries}` },
  body,
})
let tries = 0

export function answer({ headers }) {
  tries += 1
  if (tries === 1) return { status: 500, statusText: 'Not Now', body: { __type: 'InternalServerError' } }
  if (headers['x-amz-target'].endsWith('PutItem')) return answered({})
  return answered({ Item: { id: { S: 'ord_1' }, email: { S: 'ada@mail.example' } } })
}

/** Is sent away once, reads an item with an e-mail address, whose `x-amz-crc32` the client checks, and writes the address elsewhere. */
export async function agent({ base, change }) {
  const client = new AWS.DynamoDB.DocumentClient({ region: 'eu-west-1', endpoint: base, retryDelayOptions: { base: 20 } })
  const Key = { id: change === 'another item' ? 'ord_2' : 'ord_1' }
  const { Item, $response: read } = await client.get({ TableName: 'orders', Key }).promise()
  const to = change === 'another address' ? 'eve@mail.example' : Item.email
  const written = await client.put({ TableName: 'mails', Item: { id: 'm1', to } }).promise()
  return [Item.id, read.retryCount, read.requestId, written.$response.requestId]
}
