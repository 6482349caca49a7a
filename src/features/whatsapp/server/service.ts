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
