import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { plural } from '#lib/numbers.ts'
import { call } from '#lib/web/api.ts'
import { Funnel } from '#lib/web/ui/chart/funnel.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { campaignClicks } from '../contract.ts'

const TITLE = 'Clicks by button'

interface ButtonClicksProps {
	campaign: { _id: string; totalCount: number; messagesRemovedAt: string | null }
	/** Time at which the report was read. A new time reads the clicks again. */
	at: string
}

/** Shows how many people clicked each counted link of a campaign. Renders nothing for a single link and for removed messages. */
export function ButtonClicks({ campaign: { _id: id, totalCount, messagesRemovedAt }, at }: ButtonClicksProps) {
	const reading = useQuery({
		queryKey: [campaignClicks.clicks.path, id, at],
		queryFn: ({ signal }) => call(campaignClicks.clicks, { params: { id }, signal }),
		placeholderData: keepPreviousData,
		gcTime: 0,
		enabled: messagesRemovedAt === null,
	})
	const buttons = reading.data?.buttons
	if (reading.isError && !buttons)
		return (
			<Card title={TITLE}>
				<MissingPart message="The clicks by button could not be loaded." readings={[reading]} />
			</Card>
		)
	if (!buttons || buttons.length < 2) return null
	return (
		<Card title={TITLE} hint="People who clicked each button. A person who clicked two buttons counts at both.">
			<Funnel
				label="People who clicked, by button"
				total={totalCount}
				steps={buttons.map(({ card, text, people, clicks }, index) => ({
					key: String(index),
					label: card === null ? text : `Card ${card} · ${text}`,
					count: people,
					color: 'pending',
					hint: clicks > people ? plural(clicks, 'click') : undefined,
				}))}
			/>
		</Card>
	)
}
