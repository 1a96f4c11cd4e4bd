import { DeleteItemCommand, DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'

export const keys = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

export function answer({ headers }) {
  const item = { id: { S: 'ord_1' }, status: { S: 'packed' } }
  const body = headers['x-amz-target'].endsWith('GetItem') ? { Item: item } : { Attributes: item }
  return { type: 'application/x-amz-json-1.0', body: JSON.stringify(body) }
}

/** Reads an order, and writes its status. */
export async function agent({ base, change }) {
  const client = new DynamoDBClient({ region: 'us-east-1', endpoint: base })
  const Command = change === 'DeleteItem in place of GetItem' ? DeleteItemCommand : GetItemCommand
  const { Item } = await client.send(new Command({ TableName: 'orders', Key: { id: { S: 'ord_1' } } }))
  await client.send(
    new UpdateItemCommand({
      TableName: 'orders',
      Key: { id: Item?.id ?? { S: 'ord_1' } },
      UpdateExpression: 'SET #s = :s',
      ExpressionAttributeNames: { '#s': 'status' },
      ExpressionAttributeValues: { ':s': { S: 'sent' } },
    }),
  )
  return Item?.status
}
