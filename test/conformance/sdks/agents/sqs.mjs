import { ChangeMessageVisibilityCommand, DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'

export const keys = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

export function answer({ headers }) {
  const isReceived = headers['x-amz-target'].endsWith('ReceiveMessage')
  const message = { MessageId: 'm1', ReceiptHandle: 'handle-1', Body: 'ord_1', MD5OfBody: 'd7a8bb1cde9ff4cf71d5f9dd7a5e8b2c' }
  return { type: 'application/x-amz-json-1.0', body: JSON.stringify(isReceived ? { Messages: [message] } : {}) }
}

/** Receives a message, and puts it back at once. */
export async function agent({ base, change }) {
  const client = new SQSClient({ region: 'us-east-1', endpoint: base, md5: false })
  const queue = { QueueUrl: `${base}/1/orders` }
  const { Messages } = await client.send(new ReceiveMessageCommand(queue))
  const message = { ...queue, ReceiptHandle: Messages[0].ReceiptHandle }
  // Without a time, the bodies of both are the same.
  const Command = change === 'DeleteMessage in place of ChangeMessageVisibility' ? DeleteMessageCommand : ChangeMessageVisibilityCommand
  await client.send(new Command(message))
  return Messages[0].Body
}
