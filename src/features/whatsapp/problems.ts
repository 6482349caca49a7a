import { problemsOf } from '#lib/app-error.ts'

/** Message for an account without a sender. */
export const NO_CREDENTIALS = 'WhatsApp credentials are not set up. Please contact your administrator.'

/** Refusals of credentials and of inbound webhooks. */
export const problem = problemsOf({
	credentials_not_found: { status: 404, text: 'No credentials found for this user' },
	credentials_missing: { status: 400, text: NO_CREDENTIALS },
	credential_masked: {
		status: 400,
		text: ({ label }: { label: string }) => `Enter the whole ${label}, or leave the masked one as it was`,
	},
	sender_number_taken: {
		status: 409,
		text: 'This phone number is already used by another account',
		field: 'phone_number_id',
	},
	access_token_refused: {
		status: 400,
		text: 'WhatsApp does not accept this Access Token: it is invalid or has expired. Create a new permanent token in Meta Business settings and enter it here.',
		field: 'access_token',
	},
	phone_number_id_hidden: {
		status: 400,
		text: 'WhatsApp does not show this Phone Number ID to the Access Token. Check the Phone Number ID, and that the token was created for the business that owns the number.',
		field: 'phone_number_id',
	},
	waba_id_hidden: {
		status: 400,
		text: 'WhatsApp does not show this WABA ID to the Access Token. Check the WABA ID, and that the token has the permission whatsapp_business_management for it.',
		field: 'waba_id',
	},
	phone_number_of_other_waba: {
		status: 400,
		text: 'This phone number does not belong to this WABA ID. Copy both from the same page, API Setup, of the app in Meta for Developers.',
		field: 'waba_id',
	},
	credentials_unchecked: {
		status: 400,
		text: 'WhatsApp could not be reached, so the credentials could not be checked. Check the connection of the server and try again.',
	},
	credentials_check_failed: {
		status: 400,
		text: ({ reason }: { reason: string }) =>
			`WhatsApp could not check the credentials: ${reason}. Please try again later.`,
	},
	/** `reason` contains Meta's advice. */
	number_blocked: { status: 409, text: ({ reason }: { reason: string }) => reason },
	verify_token_wrong: { status: 403, text: 'This is not the verify token of this address' },
	webhook_signature_wrong: { status: 401, text: 'The signature does not fit' },
	webhook_address_unknown: { status: 404, text: 'Nobody receives webhooks here' },
	webhooks_waiting: { status: 503, text: 'Too many deliveries are waiting' },
	webhook_lookups_limited: {
		status: 429,
		text: (_facts: { waitSeconds: number }) => 'Too many unknown addresses',
	},
})
