interface Kind {
	status: number
	title: string
}

const kind = (status: number, title: string): Kind => ({ status, title })

/** Meta's error codes that a sender can receive, each with its usual HTTP status and title. */
const KINDS = new Map<number, Kind>([
	[0, kind(401, 'AuthException')],
	[1, kind(400, 'API Unknown')],
	[2, kind(503, 'API Service')],
	[3, kind(500, 'API Method')],
	[4, kind(400, 'API Too Many Calls')],
	[10, kind(403, 'Permission Denied')],
	[33, kind(400, 'Parameter value is not valid')],
	[100, kind(400, 'Invalid parameter')],
	[104, kind(401, 'An access token is required to request this resource.')],
	[190, kind(401, 'Access token has expired')],
	[192, kind(400, 'Invalid phone number')],
	[200, kind(403, 'API Permission')],
	[368, kind(403, 'Temporarily blocked for policies violations')],
	[803, kind(404, 'Some of the aliases you requested do not exist')],
	[2200, kind(400, 'Callback verification failed')],
	[2500, kind(400, 'Unknown path components')],
	[80007, kind(400, 'Rate limit issues')],
	[130403, kind(400, 'Recipient is blocked by the business')],
	[130429, kind(400, 'Rate limit hit')],
	[130472, kind(400, "User's number is part of an experiment")],
	[130497, kind(403, 'Business account is restricted from messaging users in this country.')],
	[131000, kind(500, 'Something went wrong')],
	[131005, kind(403, 'Access denied')],
	[131008, kind(400, 'Required parameter is missing')],
	[131009, kind(400, 'Parameter value is not valid')],
	[131016, kind(500, 'Service unavailable')],
	[131021, kind(400, 'Recipient cannot be sender')],
	[131026, kind(400, 'Message undeliverable')],
	[131030, kind(400, 'Recipient phone number not in allowed list')],
	[131031, kind(403, 'Account has been locked')],
	[131037, kind(400, 'Display name approval is required before message can be sent')],
	[131042, kind(400, 'Business eligibility payment issue')],
	[131045, kind(500, 'Incorrect certificate')],
	[131047, kind(400, 'Re-engagement message')],
	[131048, kind(400, 'Spam rate limit hit')],
	[131049, kind(400, 'This message was not delivered to maintain healthy ecosystem engagement.')],
	[131050, kind(400, 'User has stopped marketing messages from this business')],
	[131051, kind(400, 'Unsupported message type')],
	[131052, kind(400, 'Media download error')],
	[131053, kind(400, 'Media upload error')],
	[131055, kind(400, 'Method not allowed')],
	[131056, kind(400, '(Business Account, Consumer Account) pair rate limit hit')],
	[131057, kind(500, 'Business Account is in maintenance mode')],
	[131059, kind(400, 'Invalid cursor')],
	[131061, kind(400, 'Template must be sent with the marketing messages API')],
	[131062, kind(400, 'Recipient cannot be reached by this kind of template')],
	[131063, kind(400, 'Marketing messages are not available')],
	[131064, kind(400, 'Template misclassification limit reached')],
	[132000, kind(400, 'Number of parameters does not match the expected number of params')],
	[132001, kind(404, 'Template name does not exist in the translation')],
	[132005, kind(400, 'Template hydrated text too long')],
	[132007, kind(400, 'Template format character policy violated')],
	[132012, kind(400, 'Parameter format does not match format in the created template')],
	[132015, kind(400, 'Template is paused')],
	[132016, kind(400, 'Template is disabled')],
	[132018, kind(400, 'There was an issue with the parameters in your template')],
	[132068, kind(400, 'Flow is blocked')],
	[132069, kind(400, 'Flow is throttled')],
	[133004, kind(503, 'Server temporarily unavailable')],
	[133010, kind(400, 'Phone number not registered')],
	[133016, kind(400, 'Account register deregister rate limit exceeded')],
	[134011, kind(400, 'WhatsApp payments terms of service have not been accepted')],
	[134100, kind(400, 'Only marketing messages are supported')],
	[134101, kind(400, 'Template is syncing')],
	[134102, kind(500, 'Template is unavailable for use')],
	[135000, kind(400, 'Generic user error')],
])

const UNLISTED: Kind = { status: 400, title: 'Something went wrong' }

export function kindOf(code: number): Kind {
	return KINDS.get(code) ?? (code > 200 && code < 300 ? kind(403, 'API Permission') : UNLISTED)
}

/** Returns the `errors` of a status webhook. */
export function statusErrors(code: number, details: string): object[] {
	const { title } = kindOf(code)
	const href = 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/'
	return [{ code, title, message: title, error_data: { details }, href }]
}
