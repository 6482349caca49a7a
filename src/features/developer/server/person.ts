import { addressOf } from '#lib/server/http/http.ts'

/** The acting user of the account, with the network address of the call. */
export interface Person {
	userId: number
	ip: string
}

export function personOf(call: { session: { userId: number }; request: Parameters<typeof addressOf>[0] }): Person {
	return { userId: call.session.userId, ip: addressOf(call.request) }
}
