import { Group } from '@mantine/core'
import { IconBan, IconMapPin, IconUser } from '@tabler/icons-react'
import type { ChatMessage } from '#features/chats/contract.ts'
import type { Component } from '#features/templates/contract.ts'
import { cardsOf, findComponent } from '#features/templates/values.ts'
import { displayNumber } from '#lib/phone/phone.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { hasMedia, MediaContent } from './media/media-content.tsx'
import { MessageText } from './message-text.tsx'
import styles from './bubble.module.css'

const ONLY_ON_PHONE = 'Visible only in the phone app'
const UNSUPPORTED = 'This kind of message cannot be shown here. Open it in WhatsApp on a phone.'

interface BubbleContentProps {
	message: ChatMessage
	file: File | null
}

export function BubbleContent({ message, file }: BubbleContentProps) {
	if (message.isRevoked)
		return (
			<Group component="p" className={styles.quiet} gap={6} wrap="nowrap">
				<IconBan size={16} aria-hidden /> This message was deleted
			</Group>
		)
	const { text, location, cards, components, kind } = message
	const isMedia = hasMedia(message)
	const isEmpty = !text && !isMedia && !location && cards.length === 0 && !components
	return (
		<>
			{isMedia && <MediaContent message={message} file={file} />}
			{location && <Place location={location} />}
			{cards.map((card, position) => (
				<Card key={`${position}-${card.name}`} card={card} />
			))}
			{components ? (
				<TemplateContent components={components} message={message} />
			) : (
				!location && text && <MessageText text={text} />
			)}
			{kind === 'contact_request' && (
				<ul className={`bare ${styles.buttons}`} aria-label="Buttons">
					<li>Share phone number</li>
				</ul>
			)}
			{(isEmpty || kind === 'unsupported') && (
				<Group component="p" className={styles.quiet} gap={6} wrap="nowrap">
					{kind === 'phone_only' ? ONLY_ON_PHONE : UNSUPPORTED}
				</Group>
			)}
		</>
	)
}

function Place({ location }: { location: NonNullable<ChatMessage['location']> }) {
	const { latitude, longitude, name, address } = location
	const place = `${latitude},${longitude}`
	return (
		<a
			className={`well ${styles.card}`}
			href={`https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(place)}`}
			target="_blank"
			rel="noopener noreferrer"
		>
			<IconMapPin size={24} aria-hidden />
			<span>
				<UserText text={name ?? 'Location'} />
				<small>
					<UserText text={address ?? place} />
				</small>
				<small>Open in Google Maps</small>
			</span>
		</a>
	)
}

function Card({ card: { name, phones } }: { card: ChatMessage['cards'][number] }) {
	return (
		<div className={`well ${styles.card}`}>
			<IconUser size={24} aria-hidden />
			<span>
				<UserText text={name} />
				{phones.map((phone) => (
					<small key={phone} className="figures">
						<bdi>{/^\d{5,15}$/.test(phone) ? displayNumber(phone) : phone}</bdi>
					</small>
				))}
			</span>
		</div>
	)
}

interface TemplateContentProps {
	components: readonly Component[]
	/** The message with the files of the cards; null within a card. */
	message: ChatMessage | null
}

/** Renders a template, or a card of it, as it was sent, below the file of its header. */
function TemplateContent({ components, message }: TemplateContentProps) {
	const cards = message ? cardsOf(components) : []
	const header = findComponent(components, 'HEADER')?.text
	const footer = findComponent(components, 'FOOTER')?.text
	const buttons = findComponent(components, 'BUTTONS')?.buttons ?? []
	const body = findComponent(components, 'BODY')?.text
	const offer = findComponent(components, 'LIMITED_TIME_OFFER')?.limited_time_offer?.text
	return (
		<>
			{offer && <p className={`well ${styles.header}`}>{offer}</p>}
			{header && (
				<p className={styles.header} dir="auto">
					{header}
				</p>
			)}
			{body !== undefined && <MessageText text={body} />}
			{footer && (
				<p className={styles.footer} dir="auto">
					{footer}
				</p>
			)}
			{buttons.length > 0 && (
				<ul className={`bare ${styles.buttons}`} aria-label="Buttons">
					{buttons.map(({ type, text }, position) => (
						<li key={`${position}-${type}`}>{text ?? 'Button'}</li>
					))}
				</ul>
			)}
			{message && cards.length > 0 && (
				<ul className={`bare ${styles.cards}`} tabIndex={0} aria-label="Cards">
					{cards.map((card, position) => (
						<li key={position} className={`well ${styles.part}`} aria-label={`Card ${position + 1} of ${cards.length}`}>
							<CardMedia message={message} card={card} media={message.cardMedia?.[position] ?? null} />
							<TemplateContent components={card} message={null} />
						</li>
					))}
				</ul>
			)}
		</>
	)
}

interface CardMediaProps {
	message: ChatMessage
	card: readonly Component[]
	media: NonNullable<ChatMessage['cardMedia']>[number]
}

/** Renders the picture or video of a card; nothing for one without a stored file. */
function CardMedia({ message, card, media }: CardMediaProps) {
	if (!media) return null
	const text = findComponent(card, 'BODY')?.text ?? ''
	const shown = { ...message, text, mediaUrl: media.url, mediaType: media.type, mediaState: 'ready' as const }
	return <MediaContent message={shown} file={null} />
}
