import type { DescService } from '@bufbuild/protobuf'
import { FieldDescriptorProto_Label, FieldDescriptorProto_Type, type FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'

/** What the code that is generated for a client of Connect says of the shop. @param protobuf The package @bufbuild/protobuf. */
export function describeShop(
  { create, createFileRegistry }: typeof import('@bufbuild/protobuf'),
  schema: typeof FileDescriptorProtoSchema,
): DescService {
  const text = { type: FieldDescriptorProto_Type.STRING, label: FieldDescriptorProto_Label.OPTIONAL }
  const id = { ...text, name: 'id', jsonName: 'id', number: 1 }
  const count = { ...text, name: 'count', jsonName: 'count', number: 2, type: FieldDescriptorProto_Type.INT32 }
  const file = create(schema, {
    name: 'shop.proto',
    package: 'shop',
    syntax: 'proto3',
    messageType: [
      { name: 'Asked', field: [id, count] },
      { name: 'Order', field: [id] },
    ],
    service: [
      {
        name: 'Orders',
        method: [
          { name: 'Get', inputType: '.shop.Asked', outputType: '.shop.Order' },
          { name: 'Watch', inputType: '.shop.Asked', outputType: '.shop.Order', serverStreaming: true },
          { name: 'Sum', inputType: '.shop.Asked', outputType: '.shop.Asked', clientStreaming: true },
          { name: 'Talk', inputType: '.shop.Asked', outputType: '.shop.Asked', clientStreaming: true, serverStreaming: true },
        ],
      },
    ],
  })
  const service = createFileRegistry(file, () => undefined).getService('shop.Orders')
  if (service === undefined) throw new Error('The definition has no shop.')
  return service
}
