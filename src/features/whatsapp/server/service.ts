export { listTemplates, postMessage, uploadMedia } from './cloud-api.ts'
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
export {
	getBusinessProfile,
	getSender,
	getSenderState,
	resumeSender,
	stopSender,
	type Sender,
	type SenderState,
} from './sender.ts'
export { startIngest, type WebhookHandler, type WebhookHandlers } from './webhooks/ingest.ts'
