import { Group, Stack, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { MAX_CARD_BODY_LENGTH, MIN_CARDS } from '#features/templates/limits.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { RowActions } from '../buttons/button-row.tsx'
import { FixedButtons } from '../buttons/fixed-buttons.tsx'
import type { RowList } from '../buttons/use-row-list.ts'
import { HeaderFile, type HeaderFiles } from '../header-file.tsx'
import type { SectionProps } from '../sections/section-props.ts'
import type { CardFields, TemplateFields } from '../template-fields.ts'
import { BodyFields } from '../text/body-fields.tsx'
import styles from './cards.module.css'

interface CardRowProps extends SectionProps {
	card: CardFields
	place: { index: number; count: number }
	header: {
		type: TemplateFields['card_header']
		file: ReturnType<HeaderFiles['at']>
		/** True when the file of the copied template's card is used. */
		isReused: boolean
	}
	actions: RowList<CardFields>
	isOpen: boolean
	onFold: () => void
}

/** Renders a card: folded to a line, or with its inputs, which stay mounted because a video may still be converted. */
export function CardRow({ card, place, header, actions, isOpen, onFold, form, hints }: CardRowProps) {
	const at = `cards.${place.index}.` as const
	const name = `card ${place.index + 1}`
	const { body_text, body_examples, buttons } = card
	const summary = header.file.file?.name ?? (header.isReused ? 'File of the original' : 'No file yet')
	return (
		<Stack
			component="li"
			className={`well ${styles.card}`}
			data-open={isOpen}
			gap={12}
			aria-label={`Card ${place.index + 1}`}
		>
			<Group gap={8} wrap="nowrap">
				<UnstyledButton className={`grow ${styles.title}`} aria-expanded={isOpen} onClick={onFold}>
					{isOpen ? <IconChevronDown size={18} aria-hidden /> : <IconChevronRight size={18} aria-hidden />}
					<b>Card {place.index + 1}</b>
					{!isOpen && <UserText className="one-line quiet" text={body_text.trim() || summary} />}
				</UnstyledButton>
				<RowActions name={name} place={place} actions={actions} min={MIN_CARDS} />
			</Group>
			<div hidden={!isOpen}>
				<Stack gap={12}>
					<HeaderFile
						key={header.type}
						form={form}
						type={header.type}
						headerFile={header.file}
						path={`${at}file`}
						isReused={header.isReused}
					/>
					<BodyFields
						form={form}
						hints={hints}
						at={at}
						label={`Text of ${name}`}
						placeholder="Optional, on all cards or on none"
						value={{ text: body_text, examples: body_examples }}
						max={MAX_CARD_BODY_LENGTH}
						lines={2}
						isOptional
					/>
					<FixedButtons form={form} hints={hints} buttons={buttons} at={at} />
				</Stack>
			</div>
		</Stack>
	)
}
