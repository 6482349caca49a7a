import { Button, Group, Radio, Select } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { MAX_CARDS } from '#features/templates/limits.ts'
import { newRequestId } from '#lib/request-id.ts'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import { RowListEnd } from '../buttons/button-row.tsx'
import { buttonType } from '../buttons/button-types.ts'
import { useRowList } from '../buttons/use-row-list.ts'
import { newCard, withButtons, type CardButtonType } from '../kinds.ts'
import type { HeaderSectionProps } from '../sections/header-section.tsx'
import type { SectionProps } from '../sections/section-props.ts'
import type { CardFields, TemplateFields } from '../template-fields.ts'
import { clearErrorsOf } from '../text/body-fields.tsx'
import { CardRow } from './card-row.tsx'
import styles from './cards.module.css'

/** Renders the cards of a carousel, of which a new one is unfolded alone, and what all cards have in common. */
export function CardsSection({ form, hints, files }: HeaderSectionProps) {
	const { cards, card_header, header_from } = form.values
	const unfolding = useUnfolded(form)
	const list = useRef<HTMLUListElement>(null)
	const addButton = useRef<HTMLButtonElement>(null)
	const set = (rows: readonly CardFields[]) => {
		// The errors are keyed by index, and the indexes have changed.
		clearErrorsOf(form, 'cards')
		form.setFieldValue('cards', [...rows])
	}
	const current = () => form.getValues().cards
	const actions = useRowList<CardFields>({ current, set, what: 'Card', max: MAX_CARDS, list, addButton })
	const hasFile = ({ key, file_of_card }: CardFields) =>
		files.chosen.has(key) || (header_from !== '' && file_of_card > 0)
	const add = () => {
		const card = newCard(newRequestId(), current().at(-1))
		unfolding.only(card.key)
		actions.add(card)
	}
	return (
		<FormSection number={3} title="Cards" done={cards.every((card) => hasFile(card) && isFilled(card))}>
			<Shape
				form={form}
				onButtons={(types) => set(withButtons(current(), types))}
				onHeader={(header) => {
					form.setFieldValue('card_header', header)
					for (const { key } of cards) files.at(key).choose(null)
					set(current().map((card) => ({ ...card, file_of_card: 0 })))
				}}
			/>
			<ul className={`bare ${styles.list}`} ref={list} data-path="cards" tabIndex={-1} aria-label="Cards">
				{cards.map((card, index) => (
					<CardRow
						key={card.key}
						{...{ card, form, hints, actions }}
						place={{ index, count: cards.length }}
						header={{
							type: card_header,
							file: files.at(card.key),
							isReused: hasFile(card) && !files.chosen.has(card.key),
						}}
						isOpen={unfolding.keys.includes(card.key)}
						onFold={() => unfolding.toggle(card.key)}
					/>
				))}
			</ul>
			<RowListEnd
				error={form.errors['cards']}
				hints={hints('cards')}
				count={cards.length}
				max={MAX_CARDS}
				actions={actions}
			>
				<Button ref={addButton} variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
					Add card
				</Button>
			</RowListEnd>
		</FormSection>
	)
}

/** Returns the keys of the unfolded cards, at first of the first one. A card with an error is unfolded, also once the error is gone. */
function useUnfolded(form: SectionProps['form']) {
	const { cards } = form.values
	const [keys, setKeys] = useState(cards.slice(0, 1).map(({ key }) => key))
	const folded = cards.filter((card, index) => !keys.includes(card.key) && isFaulty(form, index))
	if (folded.length > 0) setKeys([...keys, ...folded.map(({ key }) => key)])
	return {
		keys,
		only: (key: string) => setKeys([key]),
		toggle: (key: string) =>
			setKeys((open) => (open.includes(key) ? open.filter((each) => each !== key) : [...open, key])),
	}
}

function isFaulty(form: SectionProps['form'], index: number): boolean {
	return Object.keys(form.errors).some((path) => path.startsWith(`cards.${index}.`))
}

function isFilled({ buttons }: CardFields): boolean {
	return buttons.every(({ type, text, url, phone_number }) =>
		[text, ...(type === 'URL' ? [url] : type === 'PHONE_NUMBER' ? [phone_number] : [])].every((value) => value.trim()),
	)
}

const CARD_BUTTONS: readonly CardButtonType[] = ['URL', 'QUICK_REPLY', 'PHONE_NUMBER']
const NO_BUTTON = { value: '', label: 'None' }

interface ShapeProps extends Pick<SectionProps, 'form'> {
	onHeader: (header: TemplateFields['card_header']) => void
	onButtons: (types: readonly CardButtonType[]) => void
}

/** Renders what WhatsApp wants to be the same on all cards: the kind of file, and the kinds of buttons. */
function Shape({ form, onHeader, onButtons }: ShapeProps) {
	const { cards, card_header } = form.values
	const [first = 'URL', second] = (cards[0]?.buttons ?? []).map(({ type }) => type as CardButtonType)
	const choices = CARD_BUTTONS.map((value) => ({ value, label: buttonType(value)?.label ?? value }))
	return (
		<>
			<p className="quiet">WhatsApp shows the cards side by side. All have the same kind of file and of buttons.</p>
			<Radio.Group label="Each card shows" value={card_header} onChange={(value) => onHeader(value)}>
				<Group gap="8px 24px" mt={8}>
					<Radio value="IMAGE" label="A picture" />
					<Radio value="VIDEO" label="A video" />
				</Group>
			</Radio.Group>
			<div className={styles.pair}>
				<Select
					label="Button of each card"
					data={choices}
					allowDeselect={false}
					value={first}
					onChange={(type) => onButtons([type as CardButtonType, ...(second ? [second] : [])])}
				/>
				<Select
					label="Second button"
					// A card has one button that calls at most.
					data={[NO_BUTTON, ...choices.filter(({ value }) => value !== 'PHONE_NUMBER' || first !== value)]}
					allowDeselect={false}
					value={second ?? ''}
					onChange={(type) => onButtons([first, ...(type ? [type as CardButtonType] : [])])}
				/>
			</div>
		</>
	)
}
