import { DeleteStreamCommand, DescribeStreamCommand, KinesisClient, PutRecordCommand } from '@aws-sdk/client-kinesis'
import { NodeHttpHandler } from '@smithy/node-http-handler'

export const keys = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

export function answer({ headers }) {
  const isPut = headers['x-amz-target'].endsWith('PutRecord')
  const body = isPut
    ? { SequenceNumber: '1', ShardId: 's1' }
    : { StreamDescription: { StreamName: 'orders', StreamStatus: 'ACTIVE', Shards: [] } }
  return { type: 'application/x-amz-json-1.1', body: JSON.stringify(body) }
}

/** Writes a record, and looks at the stream. */
export async function agent({ base, change }) {
  const client = new KinesisClient({ region: 'us-east-1', endpoint: base, requestHandler: new NodeHttpHandler() })
  await client.send(new PutRecordCommand({ StreamName: 'orders', PartitionKey: 'p', Data: Buffer.from('ord_1') }))
  const Command = change === 'DeleteStream in place of DescribeStream' ? DeleteStreamCommand : DescribeStreamCommand
  await client.send(new Command({ StreamName: 'orders' }))
  return 'written'
}
