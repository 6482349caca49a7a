export { findBusiness } from './queries.ts'
export { resealSenders } from './reseal.ts'
export { postMessage, sendReadReceipt, uploadMedia } from './cloud-api.ts'
export { downloadMedia, getMediaAddress, MediaTooLarge } from './cloud-api-media.ts'
export {
	createTemplate,
	deleteTemplates,
	findTemplatesNamed,
	getTemplate,
	listTemplatePages,
	uploadSample,
} from './cloud-api-templates.ts'
export {
	createCloudApi,
	errorCode,
	GraphError,
	isRecord,
	readFault,
	readSeconds,
	type CloudApi,
	type GraphFault,
	type GraphReply,
} from './graph-client.ts'
export { readNumberDaily } from './meta-check.ts'
export { downloadSample } from './sample-download.ts'
export {
	faultsCountFrom,
	getSender,
	getSenderState,
	NO_CREDENTIALS,
	resumeSender,
	stopSender,
	TOKEN_UNREADABLE,
	type Sender,
	type SenderState,
} from './sender.ts'
export { applyNumberChange, readAccountUpdate } from './webhooks/account-changes.ts'
export { startIngest, type WebhookHandler, type WebhookHandlers } from './webhooks/ingest.ts'
