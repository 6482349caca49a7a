import { addressOf } from '#lib/server/http/http.ts'

/** Who changes what programs may do: the account's own user. */
export interface Person {
	userId: number
	ip: string
}

export function personOf(call: { session: { userId: number }; request: Parameters<typeof addressOf>[0] }): Person {
	return { userId: call.session.userId, ip: addressOf(call.request) }
}
