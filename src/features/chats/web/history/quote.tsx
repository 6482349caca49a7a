import { Link } from 'react-router'
import { campaignPath } from '#features/campaigns/paths.ts'
import type { ChatMessage } from '#features/chats/contract.ts'
import styles from './bubble.module.css'

interface QuoteProps {
	replyTo: NonNullable<ChatMessage['replyTo']>
	onShow: (id: string) => void
}

/** The quoted message: one of this chat, or one of a campaign. */
export function Quote({ replyTo: { id, text, campaignId }, onShow }: QuoteProps) {
	const words = <bdi className={styles.quoted}>{text || 'Message'}</bdi>
	if (campaignId)
		return (
			<Link className={styles.quote} to={campaignPath(campaignId)}>
				<b>Campaign message</b>
				{words}
			</Link>
		)
	if (!id) return <div className={styles.quote}>{words}</div>
	return (
		<button type="button" className={styles.quote} onClick={() => onShow(id)}>
			<span className="visually-hidden">Reply to: </span>
			{words}
		</button>
	)
}
