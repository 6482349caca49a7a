export {
	GraphError,
	isRecord,
	listTemplates,
	postMessage,
	readFault,
	uploadMedia,
	type CloudApi,
	type GraphFault,
	type GraphReply,
} from './cloud-api.ts'
export { findWebhookAccount, insertDelivery, type WebhookAccount } from './deliveries.ts'
export { getBusinessProfile, getSender, resumeSender, stopSender, type Sender } from './sender.ts'
