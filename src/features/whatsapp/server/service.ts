export {
	createCloudApi,
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
export { startIngest, type WebhookHandler, type WebhookHandlers } from './ingest.ts'
export { getBusinessProfile, getSender, resumeSender, stopSender, type Sender } from './sender.ts'
