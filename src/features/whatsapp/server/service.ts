export { postMessage, uploadMedia } from './cloud-api.ts'
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
	type CloudApi,
	type GraphFault,
	type GraphReply,
} from './graph-client.ts'
export { downloadSample } from './sample-download.ts'
export { getBusinessProfile, getSender, resumeSender, stopSender, type Sender } from './sender.ts'
export { startIngest, type WebhookHandler, type WebhookHandlers } from './webhooks/ingest.ts'
