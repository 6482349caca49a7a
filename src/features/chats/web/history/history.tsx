import { Box, Button, Loader, Stack } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { memo, useMemo, useRef } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { formatCalendarDay, indianDay } from '#lib/dates.ts'
import { plural } from '#lib/numbers.ts'
import { useNow } from '#lib/web/ui/value/use-now.ts'
import type { Conversation } from '../merge.ts'
import type { OutgoingMessage, Quoted } from '../outbox.ts'
import { Bubble } from './bubble.tsx'
import { countMissed, recentDay, timeline, type Entry } from './timeline.ts'
import { useHistoryScroll } from './use-history-scroll.ts'
import styles from './history.module.css'

interface HistoryProps {
	number: string
	/** The other person's name. */
	name: string
	conversation: Conversation
	outgoing: readonly OutgoingMessage[]
	/** True if free text can be sent. */
	isOpen: boolean
	onReply: (quoted: Quoted) => void
}

/** Renders the messages of a chat. Only messages in view are in the DOM; older ones load on scrolling up. */
export const History = memo(function History(props: HistoryProps) {
	const { number, name, conversation, outgoing, isOpen, onReply } = props
	const { messages, notes, hasMore } = conversation
	const entries = useMemo(() => timeline({ messages, notes, hasMore }, outgoing), [messages, notes, hasMore, outgoing])
	const scroller = useRef<HTMLDivElement>(null)
	const virtualizer = useRef<VirtualizerHandle>(null)
	const scroll = useHistoryScroll({ scroller, virtualizer }, entries, { number, hasMore })
	const now = useNow()
	const missed = countMissed(entries, scroll.leftAt)
	if (entries.length === 0) return <NoMessages isOpen={isOpen} />
	return (
		<Stack gap={0} pos="relative" flex={1} mih={0}>
			{scroll.isLoadingOlder && (
				<div className={styles.loading} role="status" aria-label="Loading older messages">
					<Loader size={18} />
				</div>
			)}
			{/* Not a live region: scrolling adds old messages, which it would announce as new. */}
			<div
				className={styles.scroller}
				ref={scroller}
				role="log"
				aria-live="off"
				aria-label={`Messages with ${name}`}
				tabIndex={0}
			>
				{/* Pushes a short conversation to the bottom. */}
				<Box flex={1} />
				<Virtualizer
					ref={virtualizer}
					scrollRef={scroller}
					data={entries}
					shift={scroll.isShifting}
					onScroll={scroll.onScroll}
					onResize={scroll.onResize}
				>
					{(entry: Entry, position) => (
						<div key={entry.key} className={styles.entry} data-last={position === entries.length - 1}>
							{entry.day && (
								<h4 className={styles.day}>
									<span>{dayLabel(entry.day, now)}</span>
								</h4>
							)}
							<Bubble
								entry={entry}
								number={number}
								name={name}
								isOpen={isOpen}
								onReply={onReply}
								onShow={scroll.show}
							/>
						</div>
					)}
				</Virtualizer>
			</div>
			<Announcement last={entries.at(-1)} name={name} />
			{scroll.leftAt !== null && (
				<Button
					className={styles.jump}
					variant="default"
					radius="xl"
					leftSection={<IconArrowDown size={16} aria-hidden />}
					onClick={scroll.toLatest}
				>
					{missed > 0 ? plural(missed, 'new message') : 'Latest messages'}
				</Button>
			)}
		</Stack>
	)
})

function NoMessages({ isOpen }: Pick<HistoryProps, 'isOpen'>) {
	return (
		<p className={styles.empty}>
			No messages yet. Start the conversation!
			{!isOpen && <small>Until they reply, you can send templates only.</small>}
		</p>
	)
}

function dayLabel(day: string, now: number): string {
	const recent = recentDay(day, now)
	if (recent) return recent
	const year = day.slice(0, 4)
	return year === indianDay(now).slice(0, 4) ? formatCalendarDay(day) : `${formatCalendarDay(day)} ${year}`
}

/** Announces the customer's newest message to screen readers. */
function Announcement({ last, name }: { last: Entry | undefined; name: string }) {
	const isTheirs = last?.message.from === 'other'
	return (
		<div className="visually-hidden" role="status">
			{isTheirs && `${name}: ${last.message.text || 'New message'}`}
		</div>
	)
}
