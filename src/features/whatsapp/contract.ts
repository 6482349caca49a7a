import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Id, OptionalText, Required } from '#lib/fields.ts'

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
})
export type Credentials = z.output<typeof Saved>

export const CredentialsBody = z.object({
	phone_number_id: Required('Phone Number ID is required'),
	waba_id: Required('WABA ID is required'),
	access_token: Required('Access Token is required', 1000),
	app_id: OptionalText(),
	app_secret: OptionalText(),
})

export const whatsapp = {
	/** 404 when the account has none yet. */
	credentials: endpoint({
		method: 'GET',
		path: '/api/whatsapp/credentials/{userId}',
		access: 'admin',
		params: z.object({ userId: Id }),
		response: Saved,
	}),
	saveCredentials: endpoint({
		method: 'POST',
		path: '/api/whatsapp/credentials/{userId}',
		access: 'admin',
		params: z.object({ userId: Id }),
		body: CredentialsBody,
		response: z.object({ message: z.string(), credentials: Saved, warnings: z.array(z.string()) }),
	}),
}
