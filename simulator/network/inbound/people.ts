import type { NetworkState } from '#simulator/network-state.ts'
import type { Phone } from '#simulator/state/accounts.ts'
import { digitsOf, waIdOf } from '#simulator/state/digits.ts'
import { newInboundWamid } from '../wamid.ts'
import { change } from '../webhooks/change.ts'

/** A message that the business types in the phone app. */
export interface EchoMessage {
	phone_number_id: string
	/** Number of the customer; left out for a customer who hides it. */
	to?: string
	to_user_id?: string
	/** Type of the message; `text` by default. */
	type?: string
	/** Object of the message's type for the webhook. */
	content?: Record<string, unknown>
}

/** A customer's new number (`wa_id`), new user id, or both. */
export interface PersonChange {
	phone_number_id: string
	/** Former number; left out for a customer who hides it. */
	from?: string
	wa_id?: string
	user_id?: string
	previous_user_id?: string
}

const secondsNow = () => String(Math.floor(Date.now() / 1_000))

/** Sends the webhook of a message that the business types in the phone app. Opens no window. Returns the message's id. */
export function sendEcho(state: NetworkState, phone: Phone, echo: EchoMessage): string {
	const { to, to_user_id, type = 'text', content = { body: 'Typed on the phone' } } = echo
	const id = newInboundWamid(phone.id, phone.digits)
	const customer = to === undefined ? {} : { to: waIdOf(`+${digitsOf(to)}`, phone.country) ?? digitsOf(to) }
	const hidden = to_user_id === undefined ? {} : { to_user_id }
	const message = { from: phone.digits, ...customer, ...hidden, id, timestamp: secondsNow(), type, [type]: content }
	announce(state, phone, { field: 'smb_message_echoes', value: { message_echoes: [message] } })
	return id
}

/** Sends the network's note about a customer's new number or user id. Returns the note's id. */
export function changePerson(state: NetworkState, phone: Phone, changed: PersonChange): string {
	const { from, wa_id, user_id, previous_user_id } = changed
	const id = newInboundWamid(phone.id, from ?? previous_user_id ?? phone.digits)
	const system = {
		type: wa_id === undefined ? 'user_changed_user_id' : 'user_changed_number',
		body: wa_id === undefined ? 'The customer has a new user id' : `The customer changed to ${wa_id}`,
		...(wa_id === undefined ? {} : { wa_id: digitsOf(wa_id) }),
		...(user_id === undefined ? {} : { user_id }),
		...(previous_user_id === undefined ? {} : { previous_user_id }),
	}
	const sender = from === undefined ? {} : { from: digitsOf(from) }
	const message = { ...sender, id, timestamp: secondsNow(), type: 'system', system }
	announce(state, phone, { field: 'messages', value: { messages: [message] } })
	return id
}

function announce(state: NetworkState, phone: Phone, { field, value }: { field: string; value: object }): void {
	const metadata = { display_phone_number: phone.digits, phone_number_id: phone.id }
	const whole = { messaging_product: 'whatsapp', metadata, ...value }
	state.traffic.announce(state.directory.accountOf(phone), change(field, whole), { timed: false })
}
