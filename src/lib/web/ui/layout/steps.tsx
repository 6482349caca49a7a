import { ActionIcon, Group } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatCount } from '#lib/numbers.ts'

interface StepsProps {
	/** Noun for an item, such as "recipient". */
	what: string
	/** Index of the shown item. */
	at: number
	count: number
	onStep: (at: number) => void
	/** Name of the shown item. */
	children: ReactNode
}

/** Renders the name of the shown item with arrows to the previous and the next item. The last item is followed by the first. */
export function Steps({ what, at, count, onStep, children }: StepsProps) {
	const arrows = [
		{ label: `Previous ${what}`, to: at - 1, Icon: IconChevronLeft },
		{ label: `Next ${what}`, to: at + 1, Icon: IconChevronRight },
	]
	return (
		<Group gap={8} mb={8} wrap="nowrap">
			<p className="grow quiet" aria-live="polite">
				{children}{' '}
				{count > 1 && (
					<span className="figures">
						({formatCount(at + 1)} of {formatCount(count)})
					</span>
				)}
			</p>
			{count > 1 &&
				arrows.map(({ label, to, Icon }) => (
					<ActionIcon
						key={label}
						variant="default"
						size="var(--app-control)"
						aria-label={label}
						title={label}
						onClick={() => onStep((to + count) % count)}
					>
						<Icon size={18} aria-hidden />
					</ActionIcon>
				))}
		</Group>
	)
}
