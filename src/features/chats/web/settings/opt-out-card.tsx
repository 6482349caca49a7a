import { Button } from '@mantine/core'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { useDraftDialog } from '#lib/web/ui/state/use-draft-dialog.ts'

const OptOutReplies = latePart(() => import('./opt-out-replies.tsx').then((module) => module.OptOutReplies))

/** Renders the card of the ways to opt out, with the dialog that changes them. */
export function OptOutCard() {
	const dialog = useDraftDialog<never>('chat-replies')
	return (
		<>
			<Card
				flush
				title="Replies to STOP and START"
				hint="Customers who reply STOP get no more marketing messages. START opts them back in."
				actions={
					<Button variant="default" onClick={() => dialog.open(null)}>
						Change words and replies
					</Button>
				}
			/>
			<OptOutReplies dialog={dialog} />
		</>
	)
}
