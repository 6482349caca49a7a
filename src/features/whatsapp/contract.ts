import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Id, ListQuery, Message, OptionalText, Required, RowId, Time } from '#lib/fields.ts'

const Saved = z.object({
	phone_number_id: z.string(),
	waba_id: z.string(),
	/**
	 * Masked access token, of which only the last four characters are shown. Sent back unchanged, it keeps the stored
	 * token.
	 */
	access_token: z.string(),
	app_id: z.string(),
	app_secret: z.string(),
	webhookUrl: z.string(),
	verifyToken: z.string(),
	/**
	 * Address to enter in the Meta app itself, because Meta sends events of templates and accounts only there. The account's
	 * address when it has an app of its own, otherwise the address of the operator's app; null while that app is not
	 * configured.
	 */
	appWebhookUrl: z.nullable(z.string()),
	verifiedName: z.nullable(z.string()),
	displayPhoneNumber: z.nullable(z.string()),
	messagesPerSecond: z.int(),
	stoppedReason: z.nullable(z.string()),
	/** Error of the network or connection that began the current outage; null without an outage. */
	waitingCause: z.nullable(z.string()),
	/** The number's limit, quality and health; null before the first reading. */
	limits: z.nullable(
		z.object({
			/** People with whom the portfolio may start conversations in 24 hours; -1 without a limit, null while unknown. */
			messagingLimit: z.nullable(z.int()),
			/** Meta's values in upper case, also values that the product does not know. */
			quality: z.nullable(z.string()),
			healthStatus: z.nullable(z.string()),
			healthAdvice: z.nullable(z.string()),
			nameStatus: z.nullable(z.string()),
			verificationStatus: z.nullable(z.string()),
			portfolioId: z.nullable(z.string()),
			isOnPhoneApp: z.nullable(z.boolean()),
			readAt: Time,
		}),
	),
	/** Currency in which Meta bills the WABA; null when unknown. */
	billingCurrency: z.nullable(z.string()),
	hasPaymentMethod: z.nullable(z.boolean()),
	/** Billing problems that keep Meta from delivering messages, each with what to do. */
	billingWarnings: z.array(z.string()),
})
export type Credentials = z.output<typeof Saved>

export const CredentialsBody = z.object({
	phone_number_id: Required('Phone Number ID is required'),
	waba_id: Required('WABA ID is required'),
	access_token: Required('Access Token is required', 1000),
	app_id: OptionalText(),
	app_secret: OptionalText(),
})

export const WebhookAccount = z.object({
	userId: RowId,
	name: z.string(),
	email: z.string(),
	displayPhoneNumber: z.nullable(z.string()),
	/** Time of the latest inbound webhook; null before the first one. */
	lastDeliveryAt: z.nullable(Time),
	lastProcessedAt: z.nullable(Time),
	/** Number of processed webhooks since counting began. */
	processed: z.int(),
	/** Number of statuses that arrived at the account's address for numbers of no account, and were not stored. */
	dropped: z.int(),
	/** Number of changes of known kinds that the product ignores, such as calls. */
	ignored: z.int(),
	/** Number of unprocessed webhooks; `lagSeconds` is the age of the oldest one. */
	waiting: z.int(),
	lagSeconds: z.int(),
	/** Number of dead letters, counted up to 1,000. */
	kept: z.int(),
})
export type WebhookAccount = z.output<typeof WebhookAccount>

export const DeadLetter = z.object({
	id: RowId,
	receivedAt: Time,
	/** Reason why the webhook was not processed. */
	reason: z.string(),
	/** Body as received, up to 4,000 characters. */
	body: z.string(),
})
export type DeadLetter = z.output<typeof DeadLetter>

export const whatsapp = {
	/** Returns the account's credentials with masked secrets; 404 when none are saved. */
	credentials: endpoint('GET /api/whatsapp/credentials/{userId}', {
		access: 'admin',
		params: z.object({ userId: Id }),
		response: Saved,
	}),
	saveCredentials: endpoint('POST /api/whatsapp/credentials/{userId}', {
		access: 'admin',
		params: z.object({ userId: Id }),
		body: CredentialsBody,
		response: z.object({
			message: z.string(),
			credentials: Saved,
			warnings: z.array(z.string()),
			/** True when WhatsApp called the webhook address while saving, and its webhooks can be verified. */
			isWebhookConnected: z.boolean(),
		}),
	}),
	/** Lists the webhook statistics of every account with credentials, those with dead letters or a backlog first. */
	webhooks: endpoint('GET /api/whatsapp/webhooks', {
		access: 'admin',
		query: z.object(ListQuery),
		response: z.object({
			accounts: z.array(WebhookAccount),
			page: z.int(),
			pages: z.int(),
		}),
	}),
	/** Lists the newest dead letters of one account, at most 100. */
	keptDeliveries: endpoint('GET /api/whatsapp/webhooks/{userId}', {
		access: 'admin',
		params: z.object({ userId: Id }),
		response: z.object({ deliveries: z.array(DeadLetter) }),
	}),
	/** Queues a dead letter for another attempt. */
	replayDelivery: endpoint('POST /api/whatsapp/webhooks/{userId}/{id}/replay', {
		access: 'admin',
		params: z.object({ userId: Id, id: Id }),
		response: Message,
	}),
}
