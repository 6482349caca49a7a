import * as z from 'zod/mini'
import { ColleagueSeat, proof } from '#features/auth/contract.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Email, Id, Message, Required, RowId, Time } from '#lib/fields.ts'

export const Colleague = z.object({
	_id: RowId,
	name: z.string(),
	email: z.string(),
	seat: ColleagueSeat,
	/** True until the colleague has chosen a password by the mailed link. */
	isInvited: z.boolean(),
	hasSecondFactor: z.boolean(),
	/** Time of the last call in an open session; null without one. */
	lastSeenAt: z.nullable(Time),
	createdAt: Time,
})
export type Colleague = z.output<typeof Colleague>

export const InviteColleagueBody = z.object({
	name: Required('Name is required'),
	email: Email,
	seat: ColleagueSeat,
	...proof,
})

export const SeatBody = z.object({ seat: ColleagueSeat, ...proof })

const oneColleague = { access: 'owner', params: z.object({ id: Id }) } as const
const response = z.object({ colleagues: z.array(Colleague) })

/** Calls about the colleagues of an account, whom only its owner invites, changes and removes. */
export const colleagues = {
	list: endpoint('GET /api/colleagues', { access: 'owner', response }),
	/** Creates a colleague without a password, and mails a link to choose one, which is valid for three days and once. */
	invite: endpoint('POST /api/colleagues', { access: 'owner', body: InviteColleagueBody, response: Message }),
	/** Mails the invitation again. Only the new link is valid. */
	inviteAgain: endpoint('POST /api/colleagues/{id}/invitation', { ...oneColleague, perMinute: 10, response: Message }),
	/** Changes the seat and ends the colleague's sessions. */
	setSeat: endpoint('PUT /api/colleagues/{id}', { ...oneColleague, body: SeatBody, response: Message }),
	/** Removes the colleague and ends their sessions. Their work stays, and the email address becomes free. */
	remove: endpoint('DELETE /api/colleagues/{id}', { ...oneColleague, response: Message }),
	/** Returns the colleagues in a user's account, for an admin who resets a lost second factor. */
	ofUser: endpoint('GET /api/users/{id}/colleagues', { access: 'admin', params: z.object({ id: Id }), response }),
}
