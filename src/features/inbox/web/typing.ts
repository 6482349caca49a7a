import { useEffect, useRef, useState } from 'react'
import { useCurrentUser } from '#features/auth/web/parts.tsx'
import { inbox } from '#features/inbox/contract.ts'
import { call } from '#lib/web/api.ts'
import { onLiveEvent } from '#lib/web/live.ts'

/** Minimum milliseconds between two calls while a person types. */
const SEND_INTERVAL_MS = 3000
/** Milliseconds for which a colleague counts as typing after a call: two intervals, so that one call may be lost. */
const SHOWN_MS = 6000

const sent = { number: '', atMs: -Infinity }

/** Tells colleagues that this person types in a chat, whenever the draft's text changes and is not empty. */
export function useTypingAnnounced(number: string, text: string): void {
	const before = useRef(text)
	useEffect(() => {
		if (text !== before.current && text !== '') announceTyping(number)
		before.current = text
	}, [number, text])
}

function announceTyping(number: string): void {
	const atMs = performance.now()
	if (sent.number === number && atMs - sent.atMs < SEND_INTERVAL_MS) return
	Object.assign(sent, { number, atMs })
	// Errors are ignored: the next call shows the typing.
	void call(inbox.typing, { body: { number } }).catch(() => {})
}

/** The colleague who typed last in a chat since its newest message. */
interface Typist {
	/** Id of the person. */
	id: string
	/** False once no call has come for `SHOWN_MS`. */
	isTyping: boolean
}

/** Returns the colleague who typed last in a chat, until the newest message changes; null without one. */
export function useTyping(number: string, newest: string): Typist | null {
	const me = useCurrentUser()?._id
	const [typist, setTypist] = useState<(Typist & { newest: string }) | null>(null)
	const current = useRef(newest)
	useEffect(() => {
		current.current = newest
	}, [newest])
	useEffect(() => {
		let timer: ReturnType<typeof setTimeout> | undefined
		const unsubscribe = onLiveEvent(({ kind, id, by }) => {
			if (kind !== 'typing' || id !== number || !by || by === me) return
			setTypist({ id: by, isTyping: true, newest: current.current })
			clearTimeout(timer)
			timer = setTimeout(() => setTypist((last) => last && { ...last, isTyping: false }), SHOWN_MS)
		})
		return () => {
			clearTimeout(timer)
			unsubscribe()
		}
	}, [number, me])
	return typist?.newest === newest ? typist : null
}
