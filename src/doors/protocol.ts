/** The public door `smew/protocol`: messages, events and faults, as schemas and types. */
export * from '../protocol/event.ts';
export * from '../protocol/fault.ts';
export * from '../protocol/live.ts';
export * from '../protocol/message.ts';
export * from '../protocol/model.ts';
export * from '../protocol/permission.ts';
