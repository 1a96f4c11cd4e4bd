import { createHash } from 'node:crypto'
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'

export const keys = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

const text = JSON.stringify({ order: 'ord_1', status: 'packed' })

export function answer({ headers }) {
  if (!headers['x-amz-target'].endsWith('ReceiveMessage')) return { headers: { 'x-amzn-requestid': 'r-2' }, body: {} }
  const MD5OfBody = createHash('md5').update(text).digest('hex')
  return {
    headers: { 'x-amzn-requestid': 'r-1' },
    body: { Messages: [{ MessageId: 'm1', ReceiptHandle: 'handle-1', Body: text, MD5OfBody }] },
  }
}

/** Receives a message, whose MD5 the client checks, and deletes it. */
export async function agent({ base, change }) {
  const client = new SQSClient({ region: 'eu-west-1', endpoint: base })
  const QueueUrl = `${base}/1/orders`
  const received = await client.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: change === 'no wait' ? 0 : 2 }))
  const [message] = received.Messages
  const ReceiptHandle = change === 'another message' ? 'handle-2' : message.ReceiptHandle
  const deleted = await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
  return [JSON.parse(message.Body).order, received.$metadata.requestId, deleted.$metadata.requestId]
}
