export const contactPaths = {
	list: '/contact/management',
	optOuts: '/contact/opt-outs',
	fields: '/contact/tags-and-fields',
	upload: '/upload/contact',
	segments: '/contact/segments',
	groups: '/user/manage/contact/groups',
} as const

export function groupContactsPath(groupId: string): string {
	return `${contactPaths.list}?group=${groupId}`
}

export function contactSearchPath(search: string): string {
	return `${contactPaths.list}?${new URLSearchParams({ search }).toString()}`
}

/** Returns the path of Segments with a new segment of the people whose messages of this campaign WhatsApp held back. */
export function heldBackSegmentPath(campaignId: string): string {
	return `${contactPaths.segments}?heldBack=${campaignId}`
}
