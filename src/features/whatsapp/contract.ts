import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Id, ListQuery, Message, OptionalText, Required, RowId, Time } from '#lib/fields.ts'

const Saved = z.object({
	phone_number_id: z.string(),
	waba_id: z.string(),
	/** Masked: only its last four characters are shown. Sent back unchanged it means "keep". */
	access_token: z.string(),
	app_id: z.string(),
	app_secret: z.string(),
	webhookUrl: z.string(),
	verifyToken: z.string(),
	verifiedName: z.nullable(z.string()),
	displayPhoneNumber: z.nullable(z.string()),
	messagesPerSecond: z.int(),
	stoppedReason: z.nullable(z.string()),
	/** What the network or its connection said when the present outage began; null without an outage. */
	waitingCause: z.nullable(z.string()),
	/** The currency in which Meta bills the WABA; null when unknown. */
	billingCurrency: z.nullable(z.string()),
	hasPaymentMethod: z.nullable(z.boolean()),
	/** Why Meta will not deliver messages because of how it bills the account, with what to do. */
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
	/** When the last delivery came; null when none ever has. */
	lastDeliveryAt: z.nullable(Time),
	lastProcessedAt: z.nullable(Time),
	/** Deliveries since the count began. */
	processed: z.int(),
	/** Statuses that came to its address for numbers that no account has, and were not stored. */
	dropped: z.int(),
	/** Changes of kinds that the product knows and does nothing about, such as calls. */
	ignored: z.int(),
	/** Deliveries that are not processed yet, and for how many seconds the oldest has waited. */
	waiting: z.int(),
	lagSeconds: z.int(),
	/** Deliveries that are kept for a person: 1,000 at most are counted. */
	kept: z.int(),
})
export type WebhookAccount = z.output<typeof WebhookAccount>

export const KeptDelivery = z.object({
	id: RowId,
	receivedAt: Time,
	/** Why it was not processed. */
	reason: z.string(),
	/** As it came, up to 4,000 characters. */
	body: z.string(),
})
export type KeptDelivery = z.output<typeof KeptDelivery>

export const whatsapp = {
	/** 404 when the account has none yet. */
	credentials: endpoint('GET /api/whatsapp/credentials/{userId}', {
		access: 'admin',
		params: z.object({ userId: Id }),
		response: Saved,
	}),
	saveCredentials: endpoint('POST /api/whatsapp/credentials/{userId}', {
		access: 'admin',
		params: z.object({ userId: Id }),
		body: CredentialsBody,
		response: z.object({ message: z.string(), credentials: Saved, warnings: z.array(z.string()) }),
	}),
	/** What WhatsApp has delivered to each account that has credentials: those with trouble first. */
	webhooks: endpoint('GET /api/whatsapp/webhooks', {
		access: 'admin',
		query: z.object(ListQuery),
		response: z.object({
			accounts: z.array(WebhookAccount),
			page: z.int(),
			pages: z.int(),
		}),
	}),
	/** The deliveries of one account that are kept for a person, newest first, at most 100. */
	keptDeliveries: endpoint('GET /api/whatsapp/webhooks/{userId}', {
		access: 'admin',
		params: z.object({ userId: Id }),
		response: z.object({ deliveries: z.array(KeptDelivery) }),
	}),
	/** Lets a kept delivery be processed once more. */
	replayDelivery: endpoint('POST /api/whatsapp/webhooks/{userId}/{id}/replay', {
		access: 'admin',
		params: z.object({ userId: Id, id: Id }),
		response: Message,
	}),
}
