import { plural } from '#lib/numbers.ts'
import { isolate } from '#lib/text/bidi.ts'

/** Change of the selected contacts. `questionOf` returns the question that confirms it. */
export type BulkChange =
	| { kind: 'delete' }
	| { kind: 'optOut' }
	| { kind: 'optIn' }
	| { kind: 'move'; group: string; groupName: string }
	| { kind: 'tag'; tag: string; isAdded: boolean }

interface Question {
	title: string
	text: string
	confirm: string
	busyText: string
	danger: boolean
}

export function questionOf(change: BulkChange, count: number): Question {
	const what = plural(count, 'contact')
	const isOne = count === 1
	if (change.kind === 'delete')
		return {
			title: `Delete ${what}?`,
			text: `${isOne ? 'It' : 'They'} will be removed from your contacts. Campaigns that you already created still include ${isOne ? 'it' : 'them'}. This cannot be undone.`,
			confirm: 'Delete',
			busyText: 'Deleting...',
			danger: true,
		}
	if (change.kind === 'optOut')
		return {
			title: `Opt ${what} out of marketing?`,
			text: 'They get no more marketing messages. They still get order updates and other utility messages.',
			confirm: 'Opt out',
			busyText: 'Opting out...',
			danger: false,
		}
	if (change.kind === 'optIn')
		return {
			title: `Send ${what} marketing again?`,
			text: 'Do this only for people who asked for it. Complaints lower the quality rating of your number.',
			confirm: 'Opt back in',
			busyText: 'Opting in...',
			danger: false,
		}
	if (change.kind === 'tag')
		return {
			title: change.isAdded
				? `Tag ${what} with ${isolate(change.tag)}?`
				: `Remove the tag ${isolate(change.tag)} from ${what}?`,
			text: 'Their other tags do not change.',
			confirm: change.isAdded ? 'Add tag' : 'Remove tag',
			busyText: 'Saving...',
			danger: false,
		}
	return {
		title: change.group ? `Move ${what} to ${isolate(change.groupName)}?` : `Remove ${what} from their groups?`,
		text: change.group
			? 'A contact can be in one group only, so they leave their present groups.'
			: 'The contacts are not deleted.',
		confirm: 'Move',
		busyText: 'Moving...',
		danger: false,
	}
}
