import { problemsOf } from '#lib/app-error.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { CONTACT_REQUIRED, NOTHING_TO_SEND } from './rules.ts'

/** Error text of a rule that the form applies too. */
interface Reason {
	reason: string
}

const rupees = (paise: number) => formatRupees(rupeesFromPaise(paise))

/** Refusals of messages that people write in chats. */
export const problem = problemsOf({
	chat_not_found: { status: 404, text: 'Chat not found' },
	assignee_not_found: { status: 404, text: 'This person no longer works here. Choose somebody else.' },
	chat_changed_hands: {
		status: 409,
		text: ({ name }: { name: string | null }) =>
			name === null ? 'Nobody has this chat any more. You can take it.' : `${name} has this chat now`,
	},
	chat_has_unread: { status: 409, text: 'A new message has just come in. Read it, then close the chat.' },
	chat_number_invalid: { status: 400, text: ({ reason }: Reason) => reason },
	chat_recipient_missing: { status: 400, text: CONTACT_REQUIRED },
	message_empty: { status: 400, text: NOTHING_TO_SEND },
	message_too_long: { status: 400, text: ({ reason }: Reason) => reason },
	reply_target_not_found: { status: 404, text: 'The message you are replying to was not found' },
	message_request_reused: { status: 409, text: 'This request has already sent another message' },
	sending_off: {
		status: 503,
		text: 'Messages cannot be sent right now: the server is being restored. Try again later.',
	},
	sending_stopped: { status: 400, text: ({ reason }: Reason) => `Sending has stopped: ${reason}` },
	balance_short_for_message: {
		status: 402,
		text: ({ pricePaise, availablePaise }: { pricePaise: number; availablePaise: number }) =>
			`This message costs ${rupees(pricePaise)} and your wallet has ${rupees(availablePaise)}. Please recharge your wallet.`,
	},
	chat_template_named: { status: 400, text: 'Templates with named variables cannot be sent from a chat yet' },
	chat_value_has_tag: {
		status: 400,
		text: ({ key }: { key: string }) => `The value for ${key} may hold no {{…}}`,
	},
	chat_number_known: { status: 400, text: 'You already have the phone number of this person' },
	chat_number_hidden: { status: 400, text: 'A code can only be sent to somebody who shows their number' },
	chat_opted_out: {
		status: 400,
		text: 'They have opted out of marketing messages. Choose a template of another category.',
	},
})
