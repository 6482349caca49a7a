import { useQuery } from '@tanstack/react-query'
import { inbox } from '#features/inbox/contract.ts'
import { query } from '#lib/web/query.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { useTyping, useTypingAnnounced } from './typing.ts'

export interface ReplyingProps {
	number: string
	/** Id of the newest message. */
	newest: string
	/** Text of the person's own draft. */
	text: string
}

/** Renders "Asha is replying…" while a colleague types in the chat, and tells colleagues when this person types. */
export function Replying({ number, newest, text }: ReplyingProps) {
	useTypingAnnounced(number, text)
	const id = useTyping(number, newest)
	const { data } = useQuery(query(inbox.people))
	const name = data?.people.find(({ _id }) => _id === id)?.name
	return name && <UserText className="grow one-line" text={`${name} is replying…`} />
}
