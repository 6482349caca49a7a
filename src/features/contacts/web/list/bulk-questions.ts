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
			text: `${isOne ? 'It' : 'They'} will be removed from your contacts. Campaigns that were created before still include ${isOne ? 'it' : 'them'}. This cannot be undone.`,
			confirm: 'Delete',
			busyText: 'Deleting...',
			danger: true,
		}
	if (change.kind === 'optOut')
		return {
			title: `Opt ${what} out of marketing?`,
			text: 'Marketing campaigns leave them out from now on. Messages of other categories still reach them. Each change is kept in the history of the number.',
			confirm: 'Opt out',
			busyText: 'Opting out...',
			danger: false,
		}
	if (change.kind === 'optIn')
		return {
			title: `Send ${what} marketing again?`,
			text: 'Only do this for people who have asked for it: complaints lower the quality rating of your number.',
			confirm: 'Opt back in',
			busyText: 'Opting in...',
			danger: false,
		}
	if (change.kind === 'tag')
		return {
			title: change.isAdded
				? `Tag ${what} with ${isolate(change.tag)}?`
				: `Take the tag ${isolate(change.tag)} from ${what}?`,
			text: 'Their other tags stay.',
			confirm: change.isAdded ? 'Add tag' : 'Remove tag',
			busyText: 'Saving...',
			danger: false,
		}
	return {
		title: change.group ? `Move ${what} to ${isolate(change.groupName)}?` : `Take ${what} out of their groups?`,
		text: change.group
			? 'A contact is in one group at most: they leave the groups they are in now.'
			: 'The contacts themselves stay.',
		confirm: 'Move',
		busyText: 'Moving...',
		danger: false,
	}
}
