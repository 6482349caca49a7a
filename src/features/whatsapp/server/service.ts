export { listTemplates, postMessage, sendReadReceipt, uploadMedia } from './cloud-api.ts'
export { downloadMedia, getMediaAddress, MediaTooLarge } from './cloud-api-media.ts'
export {
	createCloudApi,
	errorCode,
	GraphError,
	isRecord,
	readFault,
	type CloudApi,
	type GraphFault,
	type GraphReply,
} from './graph-client.ts'
export { getBusinessProfile, getSender, resumeSender, stopSender, type Sender } from './sender.ts'
export { applyNumberChange, readAccountUpdate } from './webhooks/account-changes.ts'
export { startIngest, type WebhookHandler, type WebhookHandlers } from './webhooks/ingest.ts'
