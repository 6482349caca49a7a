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

/**
 * Renders "Asha is replying…" while a colleague types in the chat, and tells colleagues when this person types. A screen reader
 * says it once for each colleague and newest message, not after each pause.
 */
export function Replying({ number, newest, text }: ReplyingProps) {
	useTypingAnnounced(number, text)
	const typist = useTyping(number, newest)
	const { data } = useQuery(query(inbox.people))
	const name = data?.people.find(({ _id }) => _id === typist?.id)?.name
	return (
		<>
			{name && typist?.isTyping && <UserText className="grow one-line" text={`${name} is replying…`} />}
			<span className="visually-hidden" role="status">
				{name && `${name} has begun a reply`}
			</span>
		</>
	)
}
