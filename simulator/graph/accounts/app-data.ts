import { change } from '#simulator/network/webhooks/change.ts'
import type { Phone } from '#simulator/state/accounts.ts'
import type { Call } from '../call.ts'
import { GraphError, invalidParam } from '../errors.ts'
import { paramsOf } from '../params.ts'

const ASKED_BEFORE = 2593107
const KINDS = ['smb_app_state_sync', 'history']
/** A customer of the app's earlier chats. */
const CUSTOMER = '919812300001'

/** Sends the chats or contacts of the phone app by webhook, each kind once. Numbers outside the app are refused. */
export function sendAppData(phone: Phone, call: Call): unknown {
	const kind = String(paramsOf(call)['sync_type'])
	if (!KINDS.includes(kind)) throw invalidParam('Param sync_type must be one of smb_app_state_sync, history.')
	if (!phone.is_on_biz_app) throw invalidParam('This number is not in the WhatsApp Business app.')
	const sent = phone.app_data_sent ?? []
	if (sent.includes(kind))
		throw new GraphError(100, { subcode: ASKED_BEFORE, message: 'The data was requested before.' })
	phone.app_data_sent = [...sent, kind]
	const { directory, traffic } = call.state
	directory.savePhone(phone)
	const metadata = { display_phone_number: phone.digits, phone_number_id: phone.id }
	const value = { messaging_product: 'whatsapp', metadata, ...(kind === 'history' ? historyOf(phone) : contacts()) }
	traffic.announce(directory.accountOf(phone), change(kind, value), { timed: false })
	return { messaging_product: 'whatsapp', request_id: `${phone.id}-${kind}` }
}

function historyOf({ id, digits }: Phone): object {
	const at = Math.floor(Date.now() / 1_000) - 30 * 24 * 60 * 60
	const lines = [
		{ from: CUSTOMER, to: digits, body: 'Do you have this in blue?' },
		{ from: digits, to: CUSTOMER, body: 'Yes, and in green.' },
	]
	const messages = lines.map(({ from, to, body }, index) => ({
		from,
		to,
		id: `wamid.history.${id}.${index}`,
		timestamp: String(at + index),
		type: 'text',
		text: { body },
		history_context: { status: 'READ' },
	}))
	return { history: [{ metadata: { phase: 0, chunk_order: 1, progress: 100 }, threads: [{ id: CUSTOMER, messages }] }] }
}

function contacts(): object {
	const metadata = { timestamp: String(Date.now()) }
	const contact = { full_name: 'Meera Joshi', first_name: 'Meera', phone_number: CUSTOMER }
	return { state_sync: [{ type: 'contact', contact, action: 'add', metadata }] }
}
