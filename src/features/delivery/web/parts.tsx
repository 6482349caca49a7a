import { useQuery } from '@tanstack/react-query'
import { NO_LIMIT } from '#features/whatsapp/rules.ts'
import { query } from '#lib/web/query.ts'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { type NumberStanding, numberStanding } from '../contract.ts'
import { limitText } from './limit-words.ts'
import styles from './parts.module.css'

export { planText } from './limit-words.ts'

/** Returns the limit and quality of the account's number; null without a number, undefined until known. */
function useStanding() {
	// Refetches on each visit, since every message to a new person changes what is left.
	return useQuery({ ...query(numberStanding.limit), staleTime: 0 }).data?.standing
}

/** Renders WhatsApp's limit for the account, or nothing while there is none. */
export function LimitLine() {
	const standing = useStanding()
	if (!standing || standing.perDay === NO_LIMIT) return null
	return (
		<div className="quiet">
			<Limit standing={standing} />
		</div>
	)
}

/** Renders WhatsApp's limit for the account as a card, or nothing without a number. */
export function LimitCard() {
	const standing = useStanding()
	if (!standing) return null
	return (
		<Card title="WhatsApp’s daily limit" narrow>
			<Limit standing={standing} />
		</Card>
	)
}

/** Renders a limit in sentences, and what raises it. */
export function Limit({ standing }: { standing: NumberStanding }) {
	return (
		<>
			<p>{limitText(standing)}</p>
			{standing.perDay !== NO_LIMIT && <RaisingTheLimit />}
		</>
	)
}

function RaisingTheLimit() {
	return (
		<details className={`unfolds ${styles.raising}`}>
			<summary>What raises the limit</summary>
			<ul>
				<li>
					<b>From 250 to 2,000 people:</b> your business is verified with WhatsApp, or you reach 2,000 different people
					in 30 days with good messages. Ask your administrator for the verification.
				</li>
				<li>
					<b>Above that:</b> WhatsApp raises the limit within 6 hours, to 10,000, then 100,000, then without limit, once
					you have used half of it within 7 days and the quality is not low.
				</li>
				<li>
					<b>Quality</b> falls when people block or report you. Write only to people who expect it, and not too often.
				</li>
				<li>
					<b>What counts:</b> each person to whom you write first, once in 24 hours. Replies to customers do not. What
					is left is an estimate if your business also sends with other software.
				</li>
			</ul>
		</details>
	)
}
